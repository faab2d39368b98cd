/*---
{"kind": "runtime", "message": "3"}
---*/
await tools.fail();
