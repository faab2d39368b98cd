/*---
{"value": ["second", "AggregateError", 2]}
---*/
const fail = async (text) => {
    throw new Error(text);
};
const first = await Promise.any([fail("a"), Promise.resolve("second")]);
try {
    await Promise.any([fail("a"), fail("b")]);
} catch (error) {
    return [first, error.constructor.name, error.errors.length];
}
