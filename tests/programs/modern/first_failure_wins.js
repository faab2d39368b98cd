/*---
{"kind": "runtime", "message": "no such host", "line": 6}
---*/
const results = await Promise.all([
    tools.version(),
    tools.fail(), // here
    tools.echo(1),
]);
return results;
