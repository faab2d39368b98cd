/*---
{"kind": "runtime", "message": "deep", "line": 8}
---*/
const inner = async () => {
    await null;
    const error = "deep";
    await null;
        throw new Error(error); // here
};
const outer = async () => {
    await inner();
};
await outer();
