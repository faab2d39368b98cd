/*---
{"kind": "runtime", "message": "no such host", "line": 5}
---*/
const x = 1;
tools.fail(); // here
return x;
