/*---
{"languages": ["javascript-es5"], "kind": "syntax", "line": 5, "suggestion": "javascript", "unless": {"quickjs": {"skip": "the engine reads all of the language"}}}
---*/
var name = "x";
return `hello ${name}`; // here
