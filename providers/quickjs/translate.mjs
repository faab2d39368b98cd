// translate.mjs IN.c OUT.c - adapts what wasm2c wrote to pawl's runtime (wasm-rt.h, wasm-access.h).
//
// Three changes. Every access to the linear memory is handed its base address and its constant offset
// apart, so that the bounds check of neighbouring members is done once. And of the functions, only
// those that every recursion must pass look at how much stack is left: the ones that call through
// the table, and as many more as it takes until no cycle of calls avoids them all.
//
// And the functions that throw some errors tell the box first: an engine that cannot make a string
// because it would be too long is out of memory, which a program must not catch; and of a call of what
// is no function, the box has better words.
//
// Whatever does not look as expected is an error: a wasm2c that writes other C must not go unnoticed.
import { readFileSync, writeFileSync } from 'node:fs';

const [input, output] = process.argv.slice(2);
const lines = readFileSync(input, 'utf8').split('\n');

function fail(message) {
    console.error(`translate: ${input}: ${message}`);
    process.exit(1);
}

// The functions, with what they call.
const heading = /^(?:static )?\w+ (w2c_\w+)\(Z_qjs_instance_t\* instance[^;]*$/;
const functions = new Map();
let current = null;
lines.forEach((line, index) => {
    const begin = heading.exec(line);
    if (begin) {
        current = { name: begin[1], begin: index, calls: new Set(), callers: new Set(), indirect: false };
        functions.set(current.name, current);
    } else if (line === '}') {
        current = null;
    } else if (current) {
        for (const call of line.matchAll(/\b(w2c_\w+)\(instance/g))
            current.calls.add(call[1]);
        if (line.includes('CALL_INDIRECT('))
            current.indirect = true;
    }
});
if (functions.size < 1000)
    fail(`only ${functions.size} functions were recognized`);
for (const f of functions.values())
    for (const callee of f.calls) {
        if (!functions.has(callee))
            fail(`${f.name} calls ${callee}, which was not recognized`);
        functions.get(callee).callers.add(f.name);
    }

// Checked functions leave the graph, then everything that is on no cycle; and so on until it is
// empty. The functions that throw are the first choice: most cycles pass them, and they are rare.
const checked = new Set([...functions.values()].filter((f) => f.indirect).map((f) => f.name));
const left = new Set([...functions.keys()].filter((name) => !checked.has(name)));
const count = (names) => [...names].filter((name) => left.has(name)).length;

function peel() {
    for (let changed = true; changed;) {
        changed = false;
        for (const name of left) {
            const f = functions.get(name);
            if (count(f.calls) === 0 || count(f.callers) === 0) {
                left.delete(name);
                changed = true;
            }
        }
    }
}
for (peel(); left.size > 0; peel()) {
    const weight = (name) => (/_Throw/.test(name) ? 1e6 : 1) *
        count(functions.get(name).calls) * count(functions.get(name).callers);
    const next = [...left].sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1))[0];
    checked.add(next);
    left.delete(next);
}

// The new text.
const access = /(_(?:load|store)\w*\(&instance->w2c_memory), \(u64\)\((\w+)\)(?: \+ (\d+)u?)?([,)])/;
const throwers = {
    w2c_JS_ThrowInternalError: 'box_will_throw((struct box *)instance, w2c_p1)',
    w2c_JS_ThrowRangeError: 'box_will_throw((struct box *)instance, w2c_p1)',
    w2c_JS_ThrowTypeError: 'w2c_p1 = box_words((struct box *)instance, w2c_p1)',
};
let accesses = 0;
let prologues = 0;
let hooks = 0;
let included = false;
let name = null;
const text = lines.map((line, index) => {
    const begin = heading.exec(line);
    if (begin)
        name = begin[1];
    if (line.trim() === 'FUNC_PROLOGUE;') {
        prologues++;
        const check = checked.has(name) ? '  CHECK_STACK;' : '';
        if (!throwers[name])
            return check;
        hooks++;
        return `${check}\n  ${throwers[name]};`;
    }
    if (/&instance->w2c_memory, \(u64\)/.test(line)) {
        if (!access.test(line))
            fail(`line ${index + 1}: an access of an unknown form`);
        accesses++;
        return line.replace(access, (_, head, base, offset = 0, tail) => `${head}, ${base}, ${offset}u${tail}`);
    }
    if (/^static u32 func_types\[/.test(line)) {
        included = true;
        return '#include "wasm-access.h"\n' + line;
    }
    return line;
});
if (!included || accesses < 10000)
    fail('the accesses to the linear memory were not recognized');
if (hooks !== 3)
    fail('the functions that throw were not recognized');
if (prologues !== functions.size)
    fail(`${functions.size} functions have ${prologues} prologues`);
writeFileSync(output, text.join('\n'));
console.log(`translate: ${functions.size} functions, ${checked.size} look at the stack, ${accesses} accesses`);
