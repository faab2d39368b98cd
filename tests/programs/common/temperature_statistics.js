/*---
{"value": {"min": -2, "max": 5, "median": 2, "above": [3, 4, 5], "frost": 1}}
---*/
var celsius = (await tools.get_weather("Oslo")).celsius;
var sorted = celsius.slice().sort(function (a, b) {
    return a - b;
});
var middle = Math.floor(sorted.length / 2);
var median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;

return {
    min: Math.min.apply(null, celsius),
    max: Math.max.apply(null, celsius),
    median: median,
    above: sorted.filter(function (t) { return t > median; }),
    frost: celsius.filter(function (t) { return t < 0; }).length
};
