/*---
{"kind": "runtime", "message": "nobody looked", "line": 5}
---*/
async function work() {
    throw new Error("nobody looked"); // here
}
work();
return "fine";
