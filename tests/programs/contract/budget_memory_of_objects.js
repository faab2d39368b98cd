/*---
{"kind": "budget_memory", "options": ["--memory", "32M"]}
---*/
var list = null;
for (;;)
    list = { next: list, data: [1, 2, 3] };
