/*---
{"kind": "runtime", "line": 6}
---*/
var host = { name: "web1" };
var port = host.name.length;
return host.settings.port; // here
