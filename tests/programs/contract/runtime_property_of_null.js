/*---
{"kind": "runtime", "line": 6}
---*/
var found = null;
if (true)
    found.name = "x"; // here
