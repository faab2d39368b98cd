/*---
{"value": [2000, 0, 1999000]}
---*/
// A queue used as a list: must not take quadratic time.
var queue = [], i, taken = 0, sum = 0;
for (i = 0; i < 2000; i++)
    queue.push(i);
while (queue.length > 0) {
    sum += queue.shift();
    taken++;
}
return [taken, queue.length, sum];
