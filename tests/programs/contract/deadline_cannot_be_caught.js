/*---
{"kind": "deadline", "logs": [], "options": ["--timeout", "300ms"]}
---*/
try {
    while (true) {}
} catch (error) {
    console.log("caught");
} finally {
    console.log("finally");
}
return "went on";
