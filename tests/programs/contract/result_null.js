/*---
{"value": {"nothing": null}}
---*/
return { nothing: await tools.nothing() };
