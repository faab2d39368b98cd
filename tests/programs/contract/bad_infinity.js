/*---
{"kind": "bad_result", "message": "value\\.a\\[0\\] is Infinity"}
---*/
return { a: [1 / 0] };
