/*---
{"kind": "runtime", "line": 7}
---*/
const limit = 10;
for (let i = 0; i < 3; i++) {
    if (i === 2)
        limit = i; // here
}
return limit;
