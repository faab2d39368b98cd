/*---
{"value": {"pairs": [[0, 1], [0, 2], [1, 2]], "reverse": "cba", "sum": 6, "entries": ["0:x", "1:y"]}}
---*/
const pairs = [];
outer: for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
        if (j <= i) continue;
        if (i === 2) break outer;
        pairs.push([i, j]);
    }
}
let sum = 0;
for (const value of new Map([["a", 1], ["b", 2], ["c", 3]]).values()) sum += value;
const entries = [];
for (const [i, letter] of ["x", "y"].entries()) entries.push(`${i}:${letter}`);
return { pairs, reverse: [..."abc"].reverse().join(""), sum, entries };
