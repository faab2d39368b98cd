/*---
{"value": {"a": [1, "x"], "b": {"c": -1.5}}}
---*/
JSON.stringify = function () { return "1"; };
Array.isArray = function () { return false; };
Object.keys = function () { return []; };
Array.prototype.map = null;
String.prototype.replace = null;
return { a: [1, "x"], b: { c: -1.5 } };
