/*---
{"kind": "runtime", "line": 5}
---*/
const known = 1;
undeclared = known; // here
return undeclared;
