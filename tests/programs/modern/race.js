/*---
{"value": "timer"}
---*/
const slow = new Promise((resolve) => setTimeout(() => resolve("slow"), 50));
const timer = new Promise((resolve) => setTimeout(() => resolve("timer"), 5));
return await Promise.race([slow, timer]);
