/*---
{"kind": "bad_result", "message": "value\\.re.*RegExp"}
---*/
return { re: /a/ };
