/*---
{"value": {"north": {"Jan": 10, "Feb": 12, "Mar": 8}, "south": {"Jan": 7, "Feb": 9, "Mar": 15}}}
---*/
// A text file is parsed and turned on its side.
var text = await tools.read_file("sales.csv");
var lines = text.split("\n").filter(function (line) {
    return line.length > 0;
});
var header = lines[0].split(",");
var rows = lines.slice(1).map(function (line) {
    var cells = line.split(","), row = {};
    header.forEach(function (name, i) {
        row[name] = cells[i];
    });
    return row;
});

var pivot = {};
rows.forEach(function (row) {
    if (!pivot[row.region])
        pivot[row.region] = {};
    pivot[row.region][row.month] = parseInt(row.units, 10);
});
return pivot;
