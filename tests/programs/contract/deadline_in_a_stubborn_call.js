/*---
{"kind": "deadline", "calls": 1, "options": ["--timeout", "400ms"]}
---*/
await tools.stubborn();
