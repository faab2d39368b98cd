/*---
{"kind": "bad_result", "message": "value\\.list\\[1\\]"}
---*/
return { list: [1, , 3] };
