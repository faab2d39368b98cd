/*---
{"kind": "runtime", "message": "no such host", "line": 5, "calls": 1, "bytes": 0, "call_log": [{"name": "tools.fail", "status": "error", "bytes": 0, "error": "no such host"}]}
---*/
var x = 1;
await tools.fail({ host: "x" }); // here
return x;
