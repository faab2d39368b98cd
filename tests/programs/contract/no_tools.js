/*---
{"value": ["undefined", "undefined", "undefined"], "tools": false}
---*/
return [typeof tools, typeof db, typeof discover];
