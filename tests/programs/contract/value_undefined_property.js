/*---
{"value": {"b": 2, "c": {}}}
---*/
return { a: undefined, b: 2, c: { d: undefined } };
