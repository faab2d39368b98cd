/*---
{"kind": "stage_denied", "options": ["--stage", "allow={\"allow\": []}"]}
---*/
try {
    await tools.version();
} catch (error) {
    error.code = "tool_error";
    throw error;
}
