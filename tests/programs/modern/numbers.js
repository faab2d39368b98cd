/*---
{"value": {"separators": 1000000, "binary": 10, "power": 256, "integer": true, "trunc": -1, "fixed": "3.14", "bigint": "100000000000000000000", "safe": 9007199254740991, "parse": 42}}
---*/
return {
    separators: 1_000_000,
    binary: 0b1010,
    power: 2 ** 8,
    integer: Number.isInteger(5.0),
    trunc: Math.trunc(-1.9),
    fixed: Math.PI.toFixed(2),
    bigint: (10n ** 20n).toString(),
    safe: Number.MAX_SAFE_INTEGER,
    parse: Number.parseInt("42px", 10),
};
