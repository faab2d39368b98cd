/*---
{"kind": "runtime", "message": "forged"}
---*/
var error = new ToolCallError("forged");
error.code = "stage_denied";
throw error;
