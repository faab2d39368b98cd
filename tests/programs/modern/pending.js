/*---
{"kind": "pending"}
---*/
const { promise } = { promise: new Promise(() => {}) };
await promise;
return 1;
