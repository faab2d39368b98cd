/*---
{"value": {"major": 1, "minor": 4}}
---*/
return tools.version();
