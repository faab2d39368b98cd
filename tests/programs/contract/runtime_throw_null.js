/*---
{"kind": "runtime", "message": "null"}
---*/
throw null;
