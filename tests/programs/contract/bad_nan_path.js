/*---
{"kind": "bad_result", "message": "value\\.items\\[3\\]\\.score is NaN"}
---*/
return { items: [1, 2, {}, { score: NaN }] };
