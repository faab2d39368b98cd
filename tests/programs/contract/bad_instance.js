/*---
{"kind": "bad_result", "message": "value\\.point.*Point"}
---*/
function Point(x) { this.x = x; }
return { point: new Point(1) };
