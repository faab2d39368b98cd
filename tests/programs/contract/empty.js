/*---
{"has_value": false, "logs": [], "calls": 0}
---*/
// nothing at all
