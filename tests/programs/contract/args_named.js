/*---
{"value": [{"a": 1, "b": 2}, {"a": 3}]}
---*/
return [await tools.pair({ b: 2, a: 1 }), await tools.pair({ a: 3 })];
