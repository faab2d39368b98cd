/*---
{"value": {"text": "a\u0000b", "length": 3}}
---*/
return { text: "a\u0000b", length: "a\u0000b".length };
