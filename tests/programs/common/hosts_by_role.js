/*---
{"value": {"cache": 1, "db": 2, "web": 2}, "calls": 1}
---*/
// How many hosts has each role?
var hosts = await tools.list_hosts();
var counts = {};

function increment(key) {
    if (!Object.prototype.hasOwnProperty.call(counts, key))
        counts[key] = 0;
    counts[key] += 1;
}

for (var i = 0; i < hosts.length; i++)
    increment(hosts[i].role);

return counts;
