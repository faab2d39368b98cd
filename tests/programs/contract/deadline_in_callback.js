/*---
{"kind": "deadline", "logs": [], "options": ["--timeout", "300ms"]}
---*/
var list = [3, 2, 1];
for (;;)
    try {
        list.sort(function () { for (;;) {} });
    } catch (error) {
        console.log("caught");
    }
