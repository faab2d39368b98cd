/*---
{"kind": "budget_bytes", "logs": [], "options": ["--max-bytes", "9"]}
---*/
try {
    await tools.ten_bytes();
} catch (error) {
    console.log("caught");
} finally {
    console.log("finally");
}
return "went on";
