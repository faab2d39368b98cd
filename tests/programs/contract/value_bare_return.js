/*---
{"has_value": false, "logs": ["before"]}
---*/
console.log("before");
return;
console.log("after");
