/*---
{"kind": "runtime", "message": "later", "line": 5}
---*/
function use() {
    return later; // here
}
const value = use();
const later = 1;
return value;
