/*---
{"kind": "bad_result", "message": "value\\.a.*[Ss]ymbol"}
---*/
return { a: { [Symbol("x")]: 1 } };
