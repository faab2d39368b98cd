/*---
{"kind": "runtime", "message": "the cause", "line": 7, "logs": ["before"]}
---*/
console.log("before");
function check(x) {
    if (x > 1)
        throw new Error("the cause"); // here
}
check(1);
check(2);
return 1;
