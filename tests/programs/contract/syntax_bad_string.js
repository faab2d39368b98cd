/*---
{"kind": "syntax", "line": 5}
---*/
var a = 1;
var text = "no end; // here
return text;
