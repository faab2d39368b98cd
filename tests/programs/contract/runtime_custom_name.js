/*---
{"kind": "runtime", "message": "out of range", "line": 5}
---*/
function check() {
    var error = new Error("out of range"); // here
    error.name = "RangeProblem";
    throw error;
}
check();
