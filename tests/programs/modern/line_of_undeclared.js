/*---
{"kind": "runtime", "message": "missingName", "line": 6}
---*/
const total = 1;
const add = (x) => {
    return missingName + x; // here
};
return [1, 2].map(add);
