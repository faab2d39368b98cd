/*---
{"kind": "bad_result", "message": "^value is NaN"}
---*/
return 0 / 0;
