/*---
{"value": {"own": 1}}
---*/
Object.prototype.inherited = 2;
return { own: 1 };
