// Which teams have errors in their hosts' logs?
const hosts = await tools.list_hosts();

const reports = await Promise.all(hosts.map(async (host) => {
    const logs = await tools.get_logs(host, 50);
    const owner = await tools.get_owner(host).catch(() => "nobody");
    return { host, owner, errors: logs.filter(({ level }) => level === "error") };
}));

const teams = {};
for (const { host, owner, errors } of reports) {
    const team = (teams[owner] ??= { hosts: 0, errors: 0 });
    team.hosts += 1;
    team.errors += errors.length;
    if (errors.length > 0) {
        console.log(`${host}: ${errors.length} x ${errors[0].text}`);
    }
}

return { hosts: hosts.length, teams };
