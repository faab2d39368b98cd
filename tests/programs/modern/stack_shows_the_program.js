/*---
{"value": {"line": true, "internal": false}}
---*/
function thrower() {
    throw new Error("x");
}
try {
    thrower();
} catch (error) {
    return { line: /:5\b/.test(error.stack), internal: /pawl|prelude|wasm/i.test(error.stack) };
}
