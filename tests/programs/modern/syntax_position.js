/*---
{"kind": "syntax", "line": 7, "logs": []}
---*/
console.log("never");
const object = {
    a: 1,
    b: 2;  // here
};
return object;
