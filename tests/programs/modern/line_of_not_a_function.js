/*---
{"kind": "runtime", "message": "fromEntry", "line": 6}
---*/
const pairs = [["a", 1]];
const first = pairs[0];
return Object.fromEntry(pairs); // here
