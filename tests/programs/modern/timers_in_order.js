/*---
{"value": ["sync", "micro", "promise", "t0", "t1", "t2"]}
---*/
const order = [];
setTimeout(() => order.push("t2"), 20);
setTimeout(() => order.push("t1"), 5);
setTimeout(() => order.push("t0"), 0);
queueMicrotask(() => order.push("micro"));
Promise.resolve().then(() => order.push("promise"));
order.push("sync");
await new Promise((resolve) => setTimeout(resolve, 40));
return order;
