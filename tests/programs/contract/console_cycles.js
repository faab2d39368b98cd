/*---
{"value": "survived", "logs": [{"match": "."}]}
---*/
var loop = { name: "loop" };
loop.self = loop;
console.log(loop);
return "survived";
