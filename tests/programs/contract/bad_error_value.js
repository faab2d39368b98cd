/*---
{"kind": "bad_result", "message": "value.*Error"}
---*/
return [new Error("as a value")];
