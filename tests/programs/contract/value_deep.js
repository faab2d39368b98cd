/*---
{"value": 3000}
---*/
var deep = null, i;
for (i = 0; i < 3000; i++)
    deep = { next: deep };
var back = await tools.echo(deep), depth = 0;
for (; back !== null; back = back.next)
    depth++;
return depth;
