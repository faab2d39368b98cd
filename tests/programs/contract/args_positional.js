/*---
{"value": {"a": 1, "b": [2]}}
---*/
return await tools.pair(1, [2]);
