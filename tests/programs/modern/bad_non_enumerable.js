/*---
{"kind": "bad_result", "message": "enumerable"}
---*/
const object = { a: 1 };
Object.defineProperty(object, "hidden", { value: 2 });
return object;
