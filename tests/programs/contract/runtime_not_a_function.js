/*---
{"kind": "runtime", "message": "total", "line": 8}
---*/
var order = { total: 5 };
var x = [1, 2, 3].map(function (n) {
    return n * 2;
});
return order.total(); // here
