/*---
{"kind": "syntax", "logs": []}
---*/
console.log("never");
if (true) {
    return 1;
