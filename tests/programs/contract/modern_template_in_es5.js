/*---
{"languages": ["javascript-es5"], "kind": "syntax", "line": 5, "suggestion": "javascript"}
---*/
var name = "x";
return `hello ${name}`; // here
