/*---
{"kind": "bad_result", "message": "value.*Set", "suggestion": "Array\\.from|\\[\\.\\.\\."}
---*/
return new Set([1, 2]);
