/*---
{"value": [1, 1.5, "text", true, false, null, [], {}]}
---*/
return [1, 1.5, "text", true, false, null, [], {}];
