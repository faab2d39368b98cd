/*---
{"value": [0, 1, 2, 3, 4, 5], "calls": 6, "call_log": [{"name": "tools.echo_fast"}, {"name": "tools.echo"}, {"name": "tools.echo_fast"}, {"name": "tools.echo"}, {"name": "tools.echo_fast"}, {"name": "tools.echo"}]}
---*/
const calls = [];
for (let i = 0; i < 6; i++) {
    calls.push(i % 2 ? tools.echo(i) : tools.echo_fast(i));
}
return await Promise.all(calls);
