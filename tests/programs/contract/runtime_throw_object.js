/*---
{"kind": "runtime", "message": "42"}
---*/
throw { code: 42 };
