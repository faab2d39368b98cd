/*---
{"kind": "runtime", "logs": ["one", "two"]}
---*/
console.log("one");
console.log("two");
throw new Error("end");
