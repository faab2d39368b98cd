/*---
{"value": "recovered", "calls": 2, "call_log": [{"status": "error"}, {"status": "ok"}]}
---*/
try {
    await tools.fail();
} catch (error) {
    await tools.version();
    return "recovered";
}
