/*---
{"value": 3, "calls": 3, "options": ["--max-calls", "3"], "budget": {"max_calls": {"limit": 3, "used": 3}}}
---*/
await tools.version();
await tools.version();
await tools.version();
return 3;
