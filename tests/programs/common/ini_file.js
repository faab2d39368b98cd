/*---
{"value": {"server": {"port": 8080, "host": "example.org"}, "limits": {"rate": 5}}}
---*/
var text = await tools.read_file("config.ini"), sections = {}, current = null;
var lines = text.split(/\r?\n/);
for (var i = 0; i < lines.length; i++) {
    var line = lines[i].replace(/^\s+|\s+$/g, "");
    if (line === "" || line.charAt(0) === ";")
        continue;
    var section = /^\[(\w+)\]$/.exec(line);
    if (section) {
        current = sections[section[1]] = {};
        continue;
    }
    var pair = /^(\w+)\s*=\s*(.*)$/.exec(line);
    if (!pair || current === null)
        throw new Error("line " + (i + 1) + " cannot be read: " + line);
    current[pair[1]] = /^\d+$/.test(pair[2]) ? Number(pair[2]) : pair[2];
}
return sections;
