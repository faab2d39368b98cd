/*---
{"value": {"sources": [], "stack": ["    at URL (native)", "    at parse (program:11:16)"]}}
---*/
// What pawl adds to the engine is like what the engine has.
const added = [URL, URL.prototype.toString, URLSearchParams, TextEncoder, TextDecoder, btoa, atob, structuredClone,
    setTimeout, clearTimeout, setInterval, clearInterval, console.log, Math.random, (1).toLocaleString,
    "".localeCompare, Intl.NumberFormat, Intl.DateTimeFormat, Atomics.add];
const sources = added.map(String).filter((text) => !text.endsWith("() {\n    [native code]\n}"));
let stack;
function parse() {
    return new URL("no scheme");
}
try {
    parse();
} catch (error) {
    stack = error.stack.split("\n").slice(1, 3);
}
return { sources, stack };
