/*---
{"value": {"entries": [["a", 1], ["b", 2]], "doubled": {"a": 2, "b": 4}, "merged": {"a": 1, "b": 3, "c": 4}, "own": [true, false], "computed": {"key_1": 1}, "keys": ["z", "a", "m"]}}
---*/
const object = { a: 1, b: 2 };
const n = 1;
return {
    entries: Object.entries(object),
    doubled: Object.fromEntries(Object.entries(object).map(([key, value]) => [key, value * 2])),
    merged: { ...object, ...{ b: 3, c: 4 } },
    own: [Object.hasOwn(object, "a"), Object.hasOwn(object, "toString")],
    computed: { [`key_${n}`]: n },
    keys: Object.keys({ z: 1, a: 2, m: 3 }),
};
