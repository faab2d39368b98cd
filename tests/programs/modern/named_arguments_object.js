/*---
{"value": {"sql": "select 1", "parameters": [1, 2]}}
---*/
const sql = "select 1";
return await db.query({ sql, parameters: [1, 2] });
