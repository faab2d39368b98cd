/*---
{"kind": "budget_calls", "logs": ["2"], "options": ["--max-calls", "2"]}
---*/
await tools.version();
await tools.version();
console.log("2");
await tools.version();
console.log("3");
