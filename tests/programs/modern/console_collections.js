/*---
{"has_value": false, "logs": [{"match": "Map.*a.*1"}, {"match": "Set.*2"}, {"match": "n: 1|\"n\": ?1"}, {"match": "10"}]}
---*/
console.log(new Map([["a", 1]]));
console.log(new Set([1, 2]));
console.log({ n: 1, nested: { deep: [1, 2, 3] } });
console.log(10n);
