/*---
{"value": {"flat": [1, 2, 3, 4], "flatMap": [1, 1, 2, 2], "find": 3, "last": 4, "index": 2, "includes": true, "at": 4, "from": [0, 1, 4], "some": true, "every": false, "fill": [7, 7]}}
---*/
const list = [1, 2, 3, 4];
return {
    flat: [1, [2, [3, [4]]]].flat(Infinity),
    flatMap: [1, 2].flatMap((x) => [x, x]),
    find: list.find((x) => x > 2),
    last: list.findLast((x) => x > 2),
    index: list.findIndex((x) => x === 3),
    includes: list.includes(2),
    at: list.at(-1),
    from: Array.from({ length: 3 }, (_, i) => i * i),
    some: list.some((x) => x > 3),
    every: list.every((x) => x > 3),
    fill: new Array(2).fill(7),
};
