/*---
{"kind": "bad_result", "message": "value\\.f is .*function"}
---*/
return { f: function () {} };
