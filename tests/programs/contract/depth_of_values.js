/*---
{
  "languages": ["javascript"],
  "value": [9999, "bad_arguments", 10000]
}
---*/
// A value may be 10,000 deep, wherever it crosses; the list of arguments counts as one.
function nested(depth) {
  let value = [];
  for (let i = 1; i < depth; i++) value = [value];
  return value;
}
function measure(value) {
  let depth = 0;
  for (; Array.isArray(value); value = value[0]) depth++;
  return depth;
}
const back = measure(await tools.echo(nested(9999)));
const code = await tools.echo(nested(10000)).catch(error => error.code);
return [back, code, measure(await tools.deepest())];
