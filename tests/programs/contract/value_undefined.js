/*---
{"has_value": false}
---*/
return undefined;
