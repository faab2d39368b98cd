/*---
{"kind": "runtime", "message": "first line\nsecond – 😀", "line": 4}
---*/
throw new Error("first line\nsecond – \ud83d\ude00"); // here
