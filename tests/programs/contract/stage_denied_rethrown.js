/*---
{"kind": "stage_denied", "options": ["--stage", "allow={\"allow\": []}"]}
---*/
try {
    await tools.version();
} catch (error) {
    throw error;
}
