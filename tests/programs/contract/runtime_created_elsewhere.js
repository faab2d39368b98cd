/*---
{"kind": "runtime", "message": "made early", "line": 4}
---*/
var error = new Error("made early"); // here
var other = 1;
throw error;
