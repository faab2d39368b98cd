/*---
{"kind": "runtime", "message": "JSON"}
---*/
await tools.not_json();
