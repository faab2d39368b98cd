/*---
{
  "languages": ["javascript"],
  "kind": "bad_result",
  "message": "is nested too deeply",
  "suggestion": "nested too deeply"
}
---*/
let value = [];
for (let i = 1; i < 10001; i++) value = [value];
return value;
