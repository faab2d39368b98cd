/*---
{"value": {"fibonacci": [0, 1, 1, 2, 3, 5, 8], "sum": 12}}
---*/
function* fibonacci() {
    let [a, b] = [0, 1];
    for (;;) {
        yield a;
        [a, b] = [b, a + b];
    }
}
function* take(iterable, n) {
    for (const value of iterable) {
        if (n-- <= 0) return;
        yield value;
    }
}
const numbers = [...take(fibonacci(), 7)];
return { fibonacci: numbers, sum: [...take(fibonacci(), 6)].reduce((a, b) => a + b) };
