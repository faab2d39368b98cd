/*---
{"kind": "syntax", "line": 6, "logs": [], "calls": 0}
---*/
console.log("never");
tools.echo(1);
var x = = 2; // here
