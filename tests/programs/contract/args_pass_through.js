/*---
{"value": [1, "text", null, true, [1, 2], {"a": {"b": 1}}], "calls": 6}
---*/
return [await tools.echo(1), await tools.echo("text"), await tools.echo(null), await tools.echo(true),
    await tools.echo([1, 2]), await tools.echo({ a: { b: 1 } })];
