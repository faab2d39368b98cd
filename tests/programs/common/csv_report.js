/*---
{"value": "north   30\nsouth   31\ntotal   61"}
---*/
var text = await tools.read_file("sales.csv");
var totals = {}, total = 0, width = 0;
text.trim().split("\n").slice(1).forEach(function (line) {
    var cells = line.split(","), units = Number(cells[2]);
    totals[cells[0]] = (totals[cells[0]] || 0) + units;
    total += units;
    width = Math.max(width, cells[0].length);
});

function pad(text, size) {
    while (text.length < size)
        text += " ";
    return text;
}

var report = Object.keys(totals).sort().map(function (region) {
    return pad(region, width + 3) + totals[region];
});
report.push(pad("total", width + 3) + total);
return report.join("\n");
