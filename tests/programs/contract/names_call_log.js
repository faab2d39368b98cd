/*---
{"value": 1, "calls": 2, "call_log": [{"name": "tools.get-thing", "status": "ok", "bytes": 9}, {"name": "tools.get-thing", "status": "ok", "bytes": 9}]}
---*/
await tools["get-thing"]();
await tools.get_thing();
return 1;
