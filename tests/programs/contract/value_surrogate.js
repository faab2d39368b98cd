/*---
{"value": ["\ud800", "a\udc00b", "😀"]}
---*/
return ["\ud800", "a\udc00b", "\ud83d\ude00"];
