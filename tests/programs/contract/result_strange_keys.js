/*---
{"value": {"__proto__": 1, "constructor": 2, "": 3, "a b": "😀\u0000é", "own": true}}
---*/
var strange = await tools.strange();
strange.own = Object.prototype.hasOwnProperty.call(strange, "__proto__");
return strange;
