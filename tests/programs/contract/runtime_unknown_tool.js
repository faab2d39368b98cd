/*---
{"kind": "runtime", "message": "get_log", "line": 5, "suggestion": "tools\\.get_logs"}
---*/
var hosts = ["web1"];
return await tools.get_log(hosts[0]); // here
