/*---
{"value": ["ToolCallError", "tool_error", "fail", true, true, true], "calls": 1, "call_log": [{"status": "error"}]}
---*/
try {
    await tools.fail();
} catch (error) {
    return [error.name, error.code, error.toolName, error instanceof ToolCallError, error instanceof Error,
        error.message.indexOf("no such host") >= 0];
}
