/*---
{"value": ["tools.get_logs", "tools.list_hosts", 0]}
---*/
var logs = await discover("logs of a host"), prefix = await discover("list_"), none = await discover("zeppelin");
return [logs[0].name, prefix[0].name, none.length];
