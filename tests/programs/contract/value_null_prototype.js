/*---
{"value": {"a": 1}}
---*/
var value = Object.create(null);
value.a = 1;
return value;
