/*---
{"kind": "stage_denied", "message": "tools.fail", "line": 5, "calls": 1, "options": ["--stage", "allow={\"allow\": [\"tools.echo\"]}"], "call_log": [{"name": "tools.fail", "status": "denied"}]}
---*/
var x = 1;
await tools.fail(); // here
