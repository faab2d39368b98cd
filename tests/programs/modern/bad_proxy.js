/*---
{"kind": "bad_result", "message": "value\\.p.*Proxy"}
---*/
return { p: new Proxy({}, {}) };
