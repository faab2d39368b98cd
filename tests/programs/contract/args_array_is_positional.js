/*---
{"value": {"value": ["value"]}}
---*/
return await tools.one(["value"]);
