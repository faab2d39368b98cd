/*---
{"value": [{"name": "web1", "errors": 1}, {"name": "web2", "errors": 2}, {"name": "db1", "errors": 0}, {"name": "cache1", "errors": 0}], "calls": 5}
---*/
const hosts = await tools.list_hosts();
const up = hosts.filter(({ up }) => up);

const results = await Promise.all(up.map(async ({ name }) => {
    const lines = await tools.get_logs(name);
    return { name, errors: lines.filter((line) => line.includes(" ERROR ")).length };
}));

return results;
