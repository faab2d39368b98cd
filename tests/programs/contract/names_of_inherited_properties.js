/*---
{"value": ["own", "built"]}
---*/
return [await tools["__proto__"](), await tools["constructor"]()];
