/*---
{"kind": "bad_result", "message": "value\\.counts.*Map", "suggestion": "Object\\.fromEntries"}
---*/
const counts = new Map([["a", 1]]);
return { counts };
