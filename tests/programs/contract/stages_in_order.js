/*---
{"kind": "stage_denied", "message": "db", "options": ["--stage", "allow={\"allow\": [\"*\"]}", "--stage", "allow={\"allow\": [\"tools.*\"]}"]}
---*/
await tools.version();
await db.query("select 1");
