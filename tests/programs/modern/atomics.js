/*---
{"value": {"before": [0, 5, 7], "after": [7, 9], "big": "3", "stored": 257, "bytes": 1, "errors": ["RangeError", "TypeError", "TypeError", "TypeError"], "tag": "[object Atomics]", "keys": []}}
---*/
const counts = new Int32Array(new SharedArrayBuffer(8));
const before = [Atomics.add(counts, 0, 5), Atomics.compareExchange(counts, 0, 5, 7), Atomics.exchange(counts, 0, 7)];
Atomics.store(counts, 1, 11);
Atomics.sub(counts, 1, 2);
const big = new BigUint64Array(1);
Atomics.or(big, 0, 3n);
const bytes = new Uint8Array(1);
const stored = Atomics.store(bytes, 0, 257);
const nameOf = (f) => { try { return f(); } catch (error) { return error.name; } };
return {
    before,
    after: [Atomics.load(counts, 0), counts[1]],
    big: String(Atomics.and(big, 0, 0xffn)),
    stored,
    bytes: bytes[0],
    errors: [
        nameOf(() => Atomics.load(counts, 2)),
        nameOf(() => Atomics.load(new Float64Array(1), 0)),
        nameOf(() => Atomics.add(big, 0, 1)),
        nameOf(() => Atomics.wait(counts, 0, 7, 10)), // there is no thread that could wake it
    ],
    tag: String(Atomics),
    keys: Object.keys(Atomics),
};
