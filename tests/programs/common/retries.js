/*---
{"value": {"attempts": 3, "last": "no such host"}, "calls": 3, "logs": ["attempt 1 failed", "attempt 2 failed", "attempt 3 failed"]}
---*/
var attempts = 0, last = null;
while (attempts < 3) {
    attempts++;
    try {
        await tools.fail({ attempt: attempts });
        break;
    } catch (error) {
        last = error.message.split(": ").pop().trim();
        console.log("attempt " + attempts + " failed");
    }
}
return { attempts: attempts, last: last };
