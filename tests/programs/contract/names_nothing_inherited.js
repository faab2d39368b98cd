/*---
{"value": ["undefined", "undefined", false]}
---*/
return [typeof tools.toString, typeof tools.hasOwnProperty, "valueOf" in tools];
