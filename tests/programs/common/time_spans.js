/*---
{"value": {"web1": 9, "web2": 2, "db1": 7, "cache1": null}}
---*/
// Seconds between the first and the last line.
var spans = {}, hosts = ["web1", "web2", "db1", "cache1"];

function seconds(line) {
    return Date.parse(line.substring(0, line.indexOf(" "))) / 1000;
}

for (var i = 0; i < hosts.length; i++) {
    var lines = await tools.get_logs(hosts[i]);
    spans[hosts[i]] = lines.length < 2 ? null : seconds(lines[lines.length - 1]) - seconds(lines[0]);
}
return spans;
