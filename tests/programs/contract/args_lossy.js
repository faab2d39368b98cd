/*---
{"kind": "runtime", "message": "x.* is NaN", "line": 4, "calls": 0}
---*/
await tools.echo({ x: NaN }); // here
