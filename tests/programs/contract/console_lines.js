/*---
{"has_value": false, "logs": ["two\nlines", "\u001b[31mred"]}
---*/
console.log("two\nlines");
console.log("\u001b[31mred");
