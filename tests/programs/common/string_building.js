/*---
{"value": {"length": 8889, "first": "0,1,2", "digits": 6890}}
---*/
var parts = [], text = "";
for (var i = 0; i < 2000; i++) {
    parts.push(i);
    text += i + ",";
}
var joined = parts.join(",");
if (joined + "," !== text)
    throw new Error("two ways to join differ");
var digits = 0;
for (var j = 0; j < joined.length; j++)
    if (joined.charAt(j) !== ",")
        digits++;
return { length: joined.length, first: joined.slice(0, 5), digits: digits };
