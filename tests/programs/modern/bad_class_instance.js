/*---
{"kind": "bad_result", "message": "value\\.at.*Point"}
---*/
class Point {
    x = 1;
}
return { at: new Point() };
