/*---
{"value": "web1: 42% (ok)\nweb2: 91% (hot)\ndb1: 77% (hot)"}
---*/
const hosts = (await tools.list_hosts()).filter((host) => host.up && host.role !== "cache");
const line = ({ name, cpu }) => `${name}: ${cpu}% (${cpu > 50 ? "hot" : `ok`})`;
return `${hosts.map(line).join("\n")}`;
