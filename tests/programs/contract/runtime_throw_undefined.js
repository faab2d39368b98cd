/*---
{"kind": "runtime", "message": "undefined"}
---*/
throw undefined;
