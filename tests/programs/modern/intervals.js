/*---
{"value": [1, 2, 3]}
---*/
const ticks = [];
await new Promise((resolve) => {
    const id = setInterval(() => {
        ticks.push(ticks.length + 1);
        if (ticks.length === 3) {
            clearInterval(id);
            resolve();
        }
    }, 2);
});
const never = setTimeout(() => ticks.push(99), 1);
clearTimeout(never);
await new Promise((resolve) => setTimeout(resolve, 10));
return ticks;
