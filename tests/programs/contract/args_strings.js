/*---
{"value": {"a": "\ud800\u0000é😀", "__proto__": [1]}}
---*/
var value = JSON.parse('{"__proto__": [1]}');
value.a = "\ud800\u0000é😀";
return await tools.echo(value);
