/*---
{"kind": "runtime", "message": "wrapped", "options": ["--stage", "allow={\"allow\": []}"]}
---*/
try {
    await tools.version();
} catch (error) {
    throw new Error("wrapped " + error.message);
}
