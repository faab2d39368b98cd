/*---
{"value": ["DatabaseError", "fail", false, "Error", "tool_error"], "calls": 2}
---*/
var result = [];
try {
    await db.fail();
} catch (error) {
    result.push(error.name, error.statement, error instanceof ToolCallError);
}
try {
    await plain.fail();
} catch (error) {
    result.push(error.name, error.code);
}
return result;
