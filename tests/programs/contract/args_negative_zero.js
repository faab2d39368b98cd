/*---
{"value": [-0, 0]}
---*/
return await tools.echo([-0, 0]);
