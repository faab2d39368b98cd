/*---
{"kind": "syntax", "message": "enum", "line": 5}
---*/
const x: number = 1;
enum Color { Red, Green } // here
return Color.Red;
