/*---
{"kind": "runtime", "message": "^TypeError: report.send is not a function$", "line": 6, "column": 8}
---*/
const count: number = 1;
const report: Record<string, number> = { count };
report.send(count as number); // nothing was removed before the call
