/*---
{"kind": "output_limit", "logs": ["aaaa", "bbbb"], "options": ["--max-output", "400"]}
---*/
console.log("aaaa");
console.log("bbbb");
var long = "";
for (var i = 0; i < 600; i++)
    long += "c";
console.log(long);
return 1;
