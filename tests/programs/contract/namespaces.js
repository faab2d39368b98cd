/*---
{"value": [{"sql": "select 1"}, "object", "object"], "call_log": [{"name": "db.query", "status": "ok"}]}
---*/
return [await db.query("select 1"), typeof db, typeof plain];
