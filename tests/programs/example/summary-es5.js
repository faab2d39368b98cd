// Which teams have errors in their hosts' logs? For engines that know ECMAScript 5.
var hosts = await tools.list_hosts();
var teams = {};

function isError(entry) {
    return entry.level === "error";
}

for (var i = 0; i < hosts.length; i++) {
    var host = hosts[i], owner = "nobody";
    var errors = (await tools.get_logs(host, 50)).filter(isError);
    try {
        owner = await tools.get_owner(host);
    } catch (error) {
        console.log(host + ": " + error.message);
    }
    if (!teams[owner])
        teams[owner] = { hosts: 0, errors: 0 };
    teams[owner].hosts += 1;
    teams[owner].errors += errors.length;
    if (errors.length > 0)
        console.log(host + ": " + errors.length + " x " + errors[0].text);
}

return { hosts: hosts.length, teams: teams };
