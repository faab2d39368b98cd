/*---
{"value": {"original": [3, 1, 2], "sorted": [1, 2, 3], "reversed": [2, 1, 3], "with": [3, 9, 2], "spliced": [3, 2]}}
---*/
const original = [3, 1, 2];
return {
    original,
    sorted: original.toSorted(),
    reversed: original.toReversed(),
    with: original.with(1, 9),
    spliced: original.toSpliced(1, 1),
};
