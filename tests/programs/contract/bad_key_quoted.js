/*---
{"kind": "bad_result", "message": "value(\\[\"a b\"\\]|\\.\"a b\").*NaN"}
---*/
return { "a b": NaN };
