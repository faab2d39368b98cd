/*---
{"kind": "runtime", "message": "pair\\(a, b\\?\\)", "line": 5, "calls": 0}
---*/
var before = 1;
await tools.pair(); // here
