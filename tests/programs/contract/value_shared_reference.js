/*---
{"value": {"a": [1], "b": [1], "c": [[1], [1]]}}
---*/
var shared = [1];
return { a: shared, b: shared, c: [shared, shared] };
