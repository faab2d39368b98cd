/*---
{"value": 1, "logs": ["aaaa", "é\n"], "options": ["--max-output", "16"]}
---*/
console.log("aaaa");
console.log("é\n"); // ["aaaa","é\n"] is 15 bytes, and 1 for the value
return 1;
