/*---
{"value": [{"host": "web2", "label": "hot", "changed": true}, {"host": "db2", "label": "down", "changed": true}], "calls": 3}
---*/
// Changes something, depending on what was read.
var hosts = await tools.list_hosts(), changes = [];
for (var i = 0; i < hosts.length; i++) {
    var label = null;
    if (!hosts[i].up)
        label = "down";
    else if (hosts[i].cpu > 80)
        label = "hot";
    if (label !== null)
        changes.push(await tools.set_label(hosts[i].name, label));
}
return changes;
