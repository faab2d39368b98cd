/*---
{"value": true, "calls": 0, "call_log": []}
---*/
return (await discover("user")).length > 0;
