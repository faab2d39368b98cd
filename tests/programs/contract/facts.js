/*---
{"value": 1, "sandbox": {"egress": {"mode": "none"}}, "budget": {"max_calls": {"limit": 7, "used": 1}}, "options": ["--max-calls", "7", "--egress", "none"]}
---*/
await tools.version();
return 1;
