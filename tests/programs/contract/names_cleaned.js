/*---
{"value": ["a thing", "spaced"]}
---*/
return [await tools.get_thing(), await tools.with_space()];
