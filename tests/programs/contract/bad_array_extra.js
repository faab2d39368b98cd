/*---
{"kind": "bad_result", "message": "^value is an array|^value.*extra"}
---*/
var list = [1];
list.extra = 2;
return list;
