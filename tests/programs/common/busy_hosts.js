/*---
{"value": [{"name": "web2", "cpu": 91}, {"name": "db1", "cpu": 77}], "logs": ["5 hosts, 4 up", "2 above 50%"]}
---*/
// Hosts that are up and above 50%, the busiest first.
var hosts = await tools.list_hosts();
var up = hosts.filter(function (host) {
    return host.up;
});
console.log(hosts.length + " hosts, " + up.length + " up");

var busy = up.filter(function (host) {
    return host.cpu > 50;
}).sort(function (a, b) {
    return b.cpu - a.cpu;
}).map(function (host) {
    return { name: host.name, cpu: host.cpu };
});
console.log(busy.length + " above 50%");

return busy;
