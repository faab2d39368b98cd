/*---
{"languages": ["javascript-es5"], "kind": "syntax", "line": 4, "suggestion": "javascript"}
---*/
let total = 0; // here
return total;
