/*---
{"value": {"first": 1, "rest": [2, 3], "name": "web1", "port": 80, "tag": "none", "swapped": [2, 1], "others": {"b": 2, "c": 3}}}
---*/
const [first, ...rest] = [1, 2, 3];
const { name, settings: { port = 80 } = {}, tag: label = "none" } = { name: "web1" };
let x = 1, y = 2;
[x, y] = [y, x];
const { a, ...others } = { a: 1, b: 2, c: 3 };
return { first, rest, name, port, tag: label, swapped: [x, y], others };
