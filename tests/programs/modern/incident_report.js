/*---
{"value": "# Incident report\n\n- web1: 1 error (/pay 500)\n- web2: 2 errors (/pay 500, /pay 503)\n\nUnreachable: db2"}
---*/
const hosts = await tools.list_hosts();
const unreachable = [];
const lines = [];

const logs = await Promise.all(
    hosts.map(async ({ name }) => {
        try {
            return [name, await tools.get_logs(name)];
        } catch {
            unreachable.push(name);
            return [name, []];
        }
    }),
);

for (const [name, entries] of logs) {
    const errors = entries
        .map((entry) => entry.match(/ ERROR \w+ (?<path>\S+) (?<status>\d+)/)?.groups)
        .filter(Boolean);
    if (!errors.length) continue;
    const plural = errors.length === 1 ? "error" : "errors";
    const what = errors.map(({ path, status }) => `${path} ${status}`).join(", ");
    lines.push(`- ${name}: ${errors.length} ${plural} (${what})`);
}

return `# Incident report

${lines.join("\n")}

Unreachable: ${unreachable.join(", ") || "none"}`;
