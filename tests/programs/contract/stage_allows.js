/*---
{"value": 5, "options": ["--stage", "allow={\"allow\": [\"tools.ec*\"]}"]}
---*/
return await tools.echo(5);
