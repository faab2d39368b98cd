/*---
{"value": {"default": 0, "known": 1, "tag": "[object Custom]", "iterated": [1, 2, 3]}}
---*/
const defaults = new Proxy({ known: 1 }, { get: (target, key) => (key in target ? target[key] : 0) });
const tagged = { get [Symbol.toStringTag]() { return "Custom"; } };
const iterable = {
    from: 1,
    to: 3,
    [Symbol.iterator]() {
        let next = this.from;
        return { next: () => (next <= this.to ? { value: next++, done: false } : { value: undefined, done: true }) };
    },
};
return {
    default: defaults.unknown,
    known: defaults.known,
    tag: Object.prototype.toString.call(tagged),
    iterated: [...iterable],
};
