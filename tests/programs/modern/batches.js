/*---
{"value": {"batches": [4, 4, 2], "sum": 45}, "calls": 10}
---*/
const numbers = [...Array(10).keys()];
const batches = [];
for (let i = 0; i < numbers.length; i += 4) batches.push(numbers.slice(i, i + 4));

let sum = 0;
for (const batch of batches) {
    const values = await Promise.all(batch.map((n) => tools.echo_fast(n)));
    sum += values.reduce((a, b) => a + b, 0);
}
return { batches: batches.map(({ length }) => length), sum };
