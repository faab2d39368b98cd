/*---
{"kind": "runtime", "message": "three", "line": 6}
---*/
[1, 2, 3].forEach(function (n) {
    if (n === 3)
        throw new TypeError("three"); // here
});
