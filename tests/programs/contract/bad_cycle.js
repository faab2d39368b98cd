/*---
{"kind": "bad_result", "message": "value\\.child\\.parent.*(cycl|circular|itself)"}
---*/
var parent = { child: {} };
parent.child.parent = parent;
return parent;
