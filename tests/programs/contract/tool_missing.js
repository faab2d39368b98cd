/*---
{"kind": "runtime", "message": "cannot run \"./no-such-command\""}
---*/
await tools.missing();
