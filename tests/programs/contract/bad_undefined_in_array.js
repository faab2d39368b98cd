/*---
{"kind": "bad_result", "message": "value\\[1\\] is undefined"}
---*/
return [1, undefined];
