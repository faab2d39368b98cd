/*---
{"value": {"a": {"a": 1}, "b": {"b": 2}}}
---*/
return await tools.pair({ a: 1 }, { b: 2 });
