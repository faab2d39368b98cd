/*---
{"kind": "runtime", "message": "wrapped: .*no such host", "line": 7}
---*/
try {
    await tools.fail();
} catch (error) {
    throw new Error("wrapped: " + error.message); // here
}
