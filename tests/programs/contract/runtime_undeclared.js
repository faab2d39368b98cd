/*---
{"kind": "runtime", "message": "totals", "line": 6}
---*/
var total = 1;
function add(x) {
    return totals + x; // here
}
return add(1);
