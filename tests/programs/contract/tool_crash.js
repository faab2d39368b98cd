/*---
{"kind": "runtime", "message": "SIGSEGV"}
---*/
await tools.crash();
