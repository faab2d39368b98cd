/*---
{"value": ["try", "catch tool_error", "finally", "after"]}
---*/
const steps = [];
try {
    steps.push("try");
    await tools.fail();
    steps.push("not reached");
} catch ({ code }) {
    steps.push(`catch ${code}`);
} finally {
    steps.push("finally");
}
steps.push("after");
return steps;
