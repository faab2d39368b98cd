/*---
{"kind": "bad_result", "message": "value\\.a is -Infinity"}
---*/
return { a: -1 / 0 };
