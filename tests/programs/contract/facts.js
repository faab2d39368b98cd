/*---
{"value": 1, "sandbox": {"egress": "none"}, "budget": {"max_calls": {"limit": 7, "used": 1}}, "options": ["--max-calls", "7", "--egress", "none"]}
---*/
await tools.version();
return 1;
