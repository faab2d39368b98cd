/*---
{"value": null, "has_value": true}
---*/
return null;
