/*---
{"value": [false, true], "call_log": [{"status": "error", "error": "cannot log in with password=\\[redacted\\]"}]}
---*/
try {
    await tools.fail_secretly();
} catch (error) {
    return [error.message.indexOf("hunter2") >= 0, error.message.indexOf("cannot log in") >= 0];
}
