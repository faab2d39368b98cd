/*---
{"value": {}}
---*/
return await tools.none();
