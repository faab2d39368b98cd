/*---
{"kind": "deadline", "options": ["--timeout", "300ms"], "logs": []}
---*/
try {
    await new Promise((resolve) => setTimeout(resolve, 100000));
} finally {
    console.log("finally");
}
