/*---
{"kind": "runtime", "message": "printed nothing"}
---*/
await tools.prints_nothing();
