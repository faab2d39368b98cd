/*---
{"value": false, "has_value": true}
---*/
return false;
