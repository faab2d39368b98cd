/*---
{"value": {"served": 20, "longest": 11, "left": 0}}
---*/
// Pure computation: a queue that is filled faster than it is emptied at first.
var queue = [], served = 0, longest = 0, next = 1;
for (var tick = 0; tick < 40; tick++) {
    if (tick < 10) {
        queue.push(next++);
        queue.push(next++);
    }
    longest = Math.max(longest, queue.length);
    if (queue.length > 0) {
        queue.shift();
        served++;
    }
    if (queue.length > 100)
        throw new Error("overflow");
}
return { served: served, longest: longest, left: queue.length };
