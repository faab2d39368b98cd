/*---
{"kind": "syntax", "line": 5, "suggestion": "functions|tools"}
---*/
var a = 1;
var fs = require("fs"); // here
return fs.readFileSync("/etc/passwd");
