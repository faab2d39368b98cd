/*---
{"value": [["north", 30, 12], ["south", 31, 15]]}
---*/
const text = await tools.read_file("sales.csv");
const [header, ...rows] = text.trim().split("\n").map((line) => line.split(","));
const index = Object.fromEntries(header.map((name, i) => [name, i]));

const regions = new Map();
for (const row of rows) {
    const units = Number(row[index.units]);
    const list = regions.get(row[index.region]) ?? [];
    regions.set(row[index.region], [...list, units]);
}

return [...regions]
    .map(([region, units]) => [region, units.reduce((a, b) => a + b, 0), Math.max(...units)])
    .sort(([a], [b]) => a.localeCompare(b));
