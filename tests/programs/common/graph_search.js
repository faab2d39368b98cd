/*---
{"value": {"path": ["a", "c", "e", "f"], "unreachable": null}}
---*/
var edges = { a: ["b", "c"], b: ["d"], c: ["d", "e"], d: ["b"], e: ["f"], f: [], g: ["a"] };
function shortest(from, to) {
    var queue = [[from]], seen = {};
    seen[from] = true;
    while (queue.length > 0) {
        var path = queue.shift(), last = path[path.length - 1];
        if (last === to)
            return path;
        edges[last].forEach(function (next) {
            if (!seen[next]) {
                seen[next] = true;
                queue.push(path.concat([next]));
            }
        });
    }
    return null;
}
return { path: shortest("a", "f"), unreachable: shortest("a", "g") };
