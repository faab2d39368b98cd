/*---
{"value": "tool_error", "call_log": [{"status": "error", "error": "200ms"}]}
---*/
try {
    await tools.too_slow();
} catch (error) {
    return error.code;
}
