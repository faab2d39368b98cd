/*---
{"kind": "runtime", "message": "UTF-8"}
---*/
await tools.not_utf8();
