/*---
{"value": 7}
---*/
var text = "x";
while (text.length < 200000)
    text += text;
return await tools.closes_stdin({ text: text });
