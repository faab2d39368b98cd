/*---
{"value": 1000, "options": ["--memory", "64M"]}
---*/
var list = [];
for (var i = 0; i < 1000; i++)
    list.push({ number: i, text: "item " + i });
return list.length;
