/*---
{"kind": "bad_result", "message": "value is .*function"}
---*/
return function () {}; // a function that is returned is a value, not the program
