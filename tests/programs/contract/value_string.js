/*---
{"value": "one"}
---*/
return "one";
