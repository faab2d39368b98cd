/*---
{"value": {"await": 1, "text": "await tools.x()", "awaited": 2}}
---*/
var awaited = 2; // await in a comment
var o = { "await": 1, text: "await tools.x()", awaited: awaited };
return /await x/.test(o.text) ? null : o;
