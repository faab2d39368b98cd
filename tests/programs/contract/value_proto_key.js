/*---
{"value": {"__proto__": 5, "constructor": 6, "toString": 7, "hasOwnProperty": 8}}
---*/
var value = JSON.parse('{"__proto__": 5, "constructor": 6, "toString": 7}');
value.hasOwnProperty = 8;
return value;
