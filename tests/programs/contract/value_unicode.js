/*---
{"value": {"héllo": "– 日本 😀", "length": 2}}
---*/
return { "héllo": "– 日本 😀", length: "😀".length };
