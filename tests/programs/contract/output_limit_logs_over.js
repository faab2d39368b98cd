/*---
{"kind": "output_limit", "options": ["--max-output", "15"]}
---*/
console.log("aaaa");
console.log("é\n");
return 1;
