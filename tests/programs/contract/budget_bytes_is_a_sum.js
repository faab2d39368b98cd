/*---
{"kind": "budget_bytes", "logs": ["10"], "options": ["--max-bytes", "19"]}
---*/
await tools.ten_bytes();
console.log("10");
await tools.ten_bytes();
console.log("20");
