/*---
{"kind": "budget_memory", "logs": [], "options": ["--memory", "32M"]}
---*/
try {
    var text = "xxxxxxxxxxxxxxxx";
    for (;;)
        text += text;
} catch (error) {
    console.log("caught");
} finally {
    console.log("finally");
}
return "went on";
