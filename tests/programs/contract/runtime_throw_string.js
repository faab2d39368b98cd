/*---
{"kind": "runtime", "message": "just text"}
---*/
throw "just text";
