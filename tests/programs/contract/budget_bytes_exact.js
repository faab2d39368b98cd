/*---
{"value": "12345678", "bytes": 10, "options": ["--max-bytes", "10"], "budget": {"max_bytes": {"limit": 10, "used": 10}}}
---*/
return await tools.ten_bytes();
