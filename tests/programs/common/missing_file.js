/*---
{"value": {"found": ["notes.txt"], "missing": ["todo.txt", "plan.txt"]}, "calls": 3}
---*/
var found = [], missing = [];
var paths = ["todo.txt", "notes.txt", "plan.txt"];
for (var i = 0; i < paths.length; i++) {
    try {
        await tools.read_file(paths[i]);
        found.push(paths[i]);
    } catch (error) {
        if (error.message.indexOf("no such file") < 0)
            throw error;
        missing.push(paths[i]);
    }
}
return { found: found, missing: missing };
