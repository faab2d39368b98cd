/*---
{"kind": "budget_calls", "options": ["--max-calls", "1"]}
---*/
try {
    await tools.fail();
} catch (error) {
}
return await tools.version();
