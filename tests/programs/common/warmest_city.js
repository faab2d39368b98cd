/*---
{"value": {"city": "Cairo", "average": 25}, "logs": ["Oslo 1.9", "Rome 15.9", "Cairo 25.0"]}
---*/
var cities = ["Oslo", "Rome", "Cairo"], best = null;
for (var i = 0; i < cities.length; i++) {
    var weather = await tools.get_weather(cities[i]);
    var sum = 0;
    for (var j = 0; j < weather.celsius.length; j++)
        sum += weather.celsius[j];
    var average = sum / weather.celsius.length;
    console.log(weather.city, average.toFixed(1));
    if (best === null || average > best.average)
        best = { city: weather.city, average: average };
}
return best;
