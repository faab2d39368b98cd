/*---
{"value": "1234567890123456", "options": ["--max-output", "20"]}
---*/
return "1234567890123456"; // 18 bytes, and 2 for the logs: []
