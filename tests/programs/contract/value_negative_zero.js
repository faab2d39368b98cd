/*---
{"value": [-0, 0, {"z": -0}]}
---*/
return [-0, 0, { z: -1 / Infinity }];
