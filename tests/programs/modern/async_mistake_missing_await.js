/*---
{"kind": "runtime", "line": 5}
---*/
const hosts = tools.list_hosts();
return hosts.filter((host) => host.up); // here
