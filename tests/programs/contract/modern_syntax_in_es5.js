/*---
{"languages": ["javascript-es5"], "kind": "syntax", "line": 5, "suggestion": "javascript", "unless": {"quickjs": {"skip": "the engine reads all of the language"}}}
---*/
var list = [1, 2, 3];
var doubled = list.map((n) => n * 2); // here
return doubled;
