/*---
{"value": {"a": 1}}
---*/
return await tools.pair(1);
