/*---
{"value": {"tool": "tools.get_weather", "max": 28}}
---*/
// A program that does not know the names yet.
const [found] = await discover("temperatures in a city");
const [space, name] = found.name.split(".");
const call = { tools, db }[space][name];
const { celsius } = await call("Cairo");
return { tool: found.name, max: Math.max(...celsius) };
