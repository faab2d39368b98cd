/*---
{"value": "done", "logs": []}
---*/
setTimeout(() => console.log("too late"), 100000);
setInterval(() => console.log("too late"), 100000);
return "done";
