/*---
{"kind": "syntax", "line": 5, "suggestion": "tools|built"}
---*/
var a = 1;
var fs = require("fs"); // here
return fs.readFileSync("/etc/passwd");
