/*---
{"value": "handled"}
---*/
const promise = Promise.reject(new Error("early"));
await tools.version();
try {
    await promise;
} catch {
    return "handled";
}
