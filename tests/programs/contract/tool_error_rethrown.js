/*---
{"kind": "runtime", "message": "no such host", "line": 5}
---*/
try {
    await tools.fail(); // here
} catch (error) {
    console.log("failed");
    throw error;
}
