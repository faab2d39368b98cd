/*---
{"value": {"both": [2, 3], "either": [1, 2, 3, 4], "only": [1], "size": 3}}
---*/
const a = new Set([1, 2, 3, 3, 2]);
const b = new Set([2, 3, 4]);
return {
    both: [...a].filter((x) => b.has(x)),
    either: [...new Set([...a, ...b])].sort((x, y) => x - y),
    only: Array.from(a).filter((x) => !b.has(x)),
    size: a.size,
};
