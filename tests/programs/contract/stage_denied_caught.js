/*---
{"value": ["ToolCallError", "stage_denied", "version"], "options": ["--stage", "allow={\"allow\": []}"]}
---*/
try {
    await tools.version();
} catch (error) {
    return [error.name, error.code, error.toolName];
}
