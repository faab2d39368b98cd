/*---
{"value": {"ok": ["web1", "cache1"], "failed": {"db2": "host db2 does not answer"}}}
---*/
const names = ["web1", "db2", "cache1"];
const settled = await Promise.allSettled(names.map((host) => tools.get_logs({ host })));

const ok = [];
const failed = {};
for (const [i, result] of settled.entries()) {
    if (result.status === "fulfilled") {
        ok.push(names[i]);
    } else {
        failed[names[i]] = result.reason.message.split(": ").at(-1).trim();
    }
}
return { ok, failed };
