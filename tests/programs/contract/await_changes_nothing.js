/*---
{"value": [1, 3, "x", [1]]}
---*/
var a = await 1, b = (await 1) + (await 2);
var c = await "x", d = await [1];
return [a, b, c, d];
