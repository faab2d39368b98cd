/*---
{"kind": "budget_calls", "logs": [], "options": ["--max-calls", "1"]}
---*/
await tools.version();
try {
    await tools.version();
} catch (error) {
    console.log("caught");
} finally {
    console.log("finally");
}
return "went on";
