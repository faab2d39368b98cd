/*---
{"value": "two\nlines\n", "bytes": 14}
---*/
return await tools.prints_text();
