/*---
{"value": ["bad_arguments", 5], "calls": 1, "options": ["--max-calls", "1"]}
---*/
var code = null;
try {
    await tools.echo({ list: [undefined] });
} catch (error) {
    code = error.code;
}
return [code, await tools.echo(5)];
