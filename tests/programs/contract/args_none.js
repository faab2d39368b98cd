/*---
{"value": {}, "calls": 1, "call_log": [{"name": "tools.echo", "status": "ok", "bytes": 2}]}
---*/
return await tools.echo();
