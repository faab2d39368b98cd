/*---
{"value": [{"major": 1, "minor": 4}, {"major": 99, "minor": 4}]}
---*/
var first = await tools.version();
first.major = 99;
return [await tools.version(), first];
