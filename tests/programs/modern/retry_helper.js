/*---
{"value": {"attempts": 3, "error": "ToolCallError"}, "calls": 3, "logs": ["attempt 1: tool_error", "attempt 2: tool_error", "attempt 3: tool_error"]}
---*/
async function retry(operation, { attempts = 3, delay = 1 } = {}) {
    for (let attempt = 1; ; attempt++) {
        try {
            return await operation(attempt);
        } catch (error) {
            console.log(`attempt ${attempt}: ${error.code}`);
            if (attempt >= attempts) throw Object.assign(error, { attempts: attempt });
            await new Promise((resolve) => setTimeout(resolve, delay));
        }
    }
}

try {
    return await retry(() => tools.fail());
} catch (error) {
    return { attempts: error.attempts, error: error.name };
}
