/*---
{"value": 1, "logs": ["a 1 true null undefined", "", "warned", "errored", "informed", "debugged"]}
---*/
console.log("a", 1, true, null, undefined);
console.log();
console.warn("warned");
console.error("errored");
console.info("informed");
console.debug("debugged");
return 1;
