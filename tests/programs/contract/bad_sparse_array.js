/*---
{"kind": "bad_result", "message": "value\\.list(\\[1\\]| is an array with holes)"}
---*/
return { list: [1, , 3] };
