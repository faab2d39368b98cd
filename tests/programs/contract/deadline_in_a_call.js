/*---
{"kind": "deadline", "calls": 1, "options": ["--timeout", "400ms"], "call_log": [{"name": "tools.never", "status": "error"}]}
---*/
try {
    await tools.never();
} catch (error) {
    return "caught";
}
return "came back";
