/*---
{"value": [300000, "yz"]}
---*/
var text = "y";
while (text.length < 300000)
    text += text;
text = text.slice(0, 299999) + "z";
var back = await tools.echo({ text: text });
return [back.text.length, back.text.slice(-2)];
