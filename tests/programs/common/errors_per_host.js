/*---
{"value": {"web1": {"lines": 4, "errors": 1}, "web2": {"lines": 3, "errors": 2}, "db1": {"lines": 2, "errors": 0}, "cache1": {"lines": 0, "errors": 0}}, "calls": 6, "call_log": [{"name": "tools.list_hosts", "status": "ok"}, {"name": "tools.get_logs", "status": "ok"}, {"name": "tools.get_logs", "status": "ok"}, {"name": "tools.get_logs", "status": "ok"}, {"name": "tools.get_logs", "status": "error", "error": "host db2 does not answer"}, {"name": "tools.get_logs", "status": "ok"}], "logs": ["skipped db2"]}
---*/
// Errors in the logs of every host; one of them does not answer.
var hosts = await tools.list_hosts();
var report = {};

function isError(line) {
    return line.split(" ")[1] === "ERROR";
}

for (var i = 0; i < hosts.length; i++) {
    var name = hosts[i].name;
    try {
        var lines = await tools.get_logs(name);
        report[name] = { lines: lines.length, errors: lines.filter(isError).length };
    } catch (error) {
        if (error.code !== "tool_error")
            throw error;
        console.log("skipped " + name);
    }
}

return report;
