/*---
{"kind": "output_limit", "options": ["--max-output", "20"]}
---*/
return "12345678901234567";
