/*---
{"value": "returned", "calls": 1, "call_log": [{"name": "tools.echo", "status": "ok"}], "logs": ["settled"]}
---*/
tools.echo({ value: 1 }).then(() => console.log("settled"));
return "returned";
