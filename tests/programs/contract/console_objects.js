/*---
{"has_value": false, "logs": [{"match": "name.*web1.*up.*true"}, {"match": "^\\[\\s*1,\\s*\"?'?two"}, {"match": "function|\\[Function"}, {"match": "boom"}]}
---*/
console.log({ name: "web1", up: true });
console.log([1, "two"]);
console.log(function named() {});
console.log(new Error("boom"));
