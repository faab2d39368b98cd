/*---
{"languages": ["javascript-es5"], "kind": "syntax", "line": 4, "suggestion": "javascript", "unless": {"quickjs": {"skip": "the engine reads all of the language"}}}
---*/
let total = 0; // here
return total;
