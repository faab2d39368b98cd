/*---
{"kind": "bad_result", "message": "value\\[0\\].*[Ss]ymbol"}
---*/
return [Symbol("x")];
