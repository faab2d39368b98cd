/*---
{"kind": "runtime", "message": "mine", "options": ["--stage", "allow={\"allow\": []}"]}
---*/
try {
    await tools.version();
} catch (error) {
    var forged = new ToolCallError("mine");
    forged.code = error.code;
    forged.name = error.name;
    throw forged;
}
