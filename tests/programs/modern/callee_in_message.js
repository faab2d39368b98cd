/*---
{"value": ["tools2.missing", "tools2.inner.gone", "tools2[\"x y\"]", "tools2.one", "constant", "later.next", "forged"]}
---*/
const tools2 = { one: 1, inner: {} };
const constant = 3;
const later = {};
const messages = [];
for (const f of [
    () => tools2.missing(1, 2),
    () => tools2.inner.gone(),
    () => tools2["x y"](),
    () => tools2.one?.(),
    () => constant(),
    async () => { await null; return later.next(); },
    () => { throw new TypeError("forged is not a function"); },
]) {
    try {
        await f();
    } catch (error) {
        messages.push(/^(.*) is not a function$/.exec(error.message)?.[1] ?? error.message);
    }
}
return messages;
