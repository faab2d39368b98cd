/*---
{"value": [["ERROR", 3], ["INFO", 3], ["WARN", 1]]}
---*/
// Levels over the web servers' logs, most frequent first, then by name.
var names = ["web1", "web2"];
var counts = {};
for (var i = 0; i < names.length; i++) {
    var lines = await tools.get_logs({ host: names[i] });
    lines.forEach(function (line) {
        var match = /^\S+ ([A-Z]+) /.exec(line);
        if (match)
            counts[match[1]] = (counts[match[1]] || 0) + 1;
    });
}

return Object.keys(counts).map(function (level) {
    return [level, counts[level]];
}).sort(function (a, b) {
    return b[1] - a[1] || (a[0] < b[0] ? -1 : 1);
});
