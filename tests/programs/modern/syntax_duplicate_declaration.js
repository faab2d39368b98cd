/*---
{"kind": "syntax", "line": 6}
---*/
const host = "a";
const port = 1;
let host = "b"; // here
return host;
