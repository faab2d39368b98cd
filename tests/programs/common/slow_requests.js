/*---
{"value": [{"host": "web1", "path": "/slow", "ms": 2300}], "calls": 2}
---*/
var hosts = ["web1", "web2"], slow = [];
for (var i = 0; i < hosts.length; i++) {
    var lines = await tools.get_logs(hosts[i]);
    lines.forEach(function (line) {
        var match = /(GET|POST) (\S+) (\d{3}) (\d+)$/.exec(line);
        if (match && Number(match[4]) > 1000)
            slow.push({ host: hosts[i], path: match[2], ms: +match[4] });
    });
}
return slow;
