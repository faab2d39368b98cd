/*---
{"value": {"Oslo": {"min": -2, "max": 5, "average": "1.9"}, "Rome": {"min": 14, "max": 18, "average": "15.9"}}, "logs": ["Atlantis: unknown city Atlantis"]}
---*/
const cities = ["Oslo", "Rome", "Atlantis"];
const summary = {};

await Promise.all(cities.map(async (city) => {
    try {
        const { celsius } = await tools.get_weather({ city });
        summary[city] = {
            min: Math.min(...celsius),
            max: Math.max(...celsius),
            average: (celsius.reduce((a, b) => a + b) / celsius.length).toFixed(1),
        };
    } catch (error) {
        console.warn(`${city}: ${error.message.split(": ").at(-1).trim()}`);
    }
}));

return summary;
