/*---
{"value": {"at": "2024-05-01T10:00:00.000Z"}}
---*/
return { at: new Date(Date.UTC(2024, 4, 1, 10)) };
