/*---
{"kind": "runtime", "line": 5}
---*/
var pattern = "(";
return new RegExp(pattern); // here
