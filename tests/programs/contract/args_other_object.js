/*---
{"value": {"a": {"x": 1}}}
---*/
return await tools.pair({ x: 1 });
