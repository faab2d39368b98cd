/*---
{"value": ["a thing", "fast", "spaced", "gone"]}
---*/
return [await tools["get-thing"](), await tools["2fast"](), await tools["with space"](), await tools.delete()];
