/*---
{"value": [], "tools": false}
---*/
var found = [];
if (typeof fetch !== "undefined") found.push("fetch");
if (typeof XMLHttpRequest !== "undefined") found.push("XMLHttpRequest");
if (typeof WebSocket !== "undefined") found.push("WebSocket");
if (typeof process !== "undefined") found.push("process");
if (typeof Deno !== "undefined") found.push("Deno");
if (typeof Bun !== "undefined") found.push("Bun");
if (typeof module !== "undefined") found.push("module");
if (typeof exports !== "undefined") found.push("exports");
if (typeof os !== "undefined") found.push("os");
if (typeof std !== "undefined") found.push("std");
if (typeof read !== "undefined") found.push("read");
if (typeof readFile !== "undefined") found.push("readFile");
if (typeof load !== "undefined") found.push("load");
if (typeof print !== "undefined") found.push("print");
if (typeof quit !== "undefined") found.push("quit");
if (typeof gc !== "undefined") found.push("gc");
if (typeof Worker !== "undefined") found.push("Worker");
if (typeof __dirname !== "undefined") found.push("__dirname");
return found;
