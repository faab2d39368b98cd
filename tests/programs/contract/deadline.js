/*---
{"kind": "deadline", "logs": ["started"], "options": ["--timeout", "300ms"]}
---*/
console.log("started");
while (true) {}
