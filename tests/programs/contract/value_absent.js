/*---
{"has_value": false, "note": "return"}
---*/
var total = 1 + 1;
