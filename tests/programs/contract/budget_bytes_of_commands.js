/*---
{"value": 1, "bytes": 11}
---*/
await tools.echo([1, 2, 3]);
await tools.echo("é");
return 1;
