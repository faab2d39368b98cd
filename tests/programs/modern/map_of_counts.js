/*---
{"value": {"web": 2, "db": 2, "cache": 1}}
---*/
const counts = new Map();
for (const { role } of await tools.list_hosts()) {
    counts.set(role, (counts.get(role) ?? 0) + 1);
}
return Object.fromEntries(counts);
