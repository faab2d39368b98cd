/*---
{"value": ["tools.get_logs", "get_logs(host, count?)", "The last log lines of a host."]}
---*/
var found = (await discover("get_logs"))[0];
return [found.name, found.signature, found.description];
