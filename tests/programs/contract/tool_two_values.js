/*---
{"kind": "runtime", "message": "JSON"}
---*/
await tools.two_values();
