/*---
{"kind": "deadline", "options": ["--timeout", "300ms"]}
---*/
var text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!";
for (;;)
    try {
        /^(a|a)+$/.test(text);
    } catch (error) {
        // an engine may give up on the expression, but not for ever
    }
