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
// --- The interpreter's loop ------------------------------------------------------------------------

// What stands in the linear memory at first, by address.
const segments = new Map();
const initial = new Map();
for (let i = 0; i < lines.length; i++) {
    const segment = /^static const u8 data_segment_data_(\w+)\[\] = \{$/.exec(lines[i]);
    const load = /^ {2}LOAD_DATA\(instance->w2c_memory, (\d+)u, data_segment_data_(\w+), (\d+)\);$/.exec(lines[i]);
    if (segment) {
        const end = lines.indexOf('};', i);
        segments.set(segment[1], lines.slice(i + 1, end).join('').match(/0x\w\w/g).map(Number));
    } else if (load) {
        segments.get(load[2]).forEach((byte, at) => initial.set(Number(load[1]) + at, byte));
    }
}

function word(address) {
    let value = 0;
    for (let i = 3; i >= 0; i--) {
        if (!initial.has(address + i))
            fail(`nothing is known of address ${address + i}`);
        value = value * 256 + initial.get(address + i);
    }
    return value;
}

// The loop reads an opcode, looks up a number for it in a table that never changes, and jumps by that
// number, all in one place. Every instruction gets that code of its own, with a jump through a table
// of addresses, so that the processor can predict each jump by the instruction that it comes from.
const whole = text.join('\n');
const loops = [...whole.matchAll(new RegExp([
    '^ *(w2c_L\\d+): $',
    '((?:^ *w2c_\\w+ = \\w+;$)*',
    '^ *(w2c_i\\d) = i32_load8_u\\(&instance->w2c_memory, w2c_i\\d, 0u\\);$',
    '^ *(w2c_l\\d+) = \\3;$)',
    '^ *(w2c_i\\d) = 2u;$',
    '^ *\\3 <<= \\(\\5 & 31\\);$',
    '^ *\\3 = i32_load\\(&instance->w2c_memory, \\3, (\\d+)u\\);$',
    '^ *\\5 = (\\d+)u;$',
    '^ *\\3 -= \\5;$',
    '^ *switch \\(\\3\\) \\{$',
    '((?:^ *(?:case \\d+|default): goto w2c_\\w+;$)+)',
    '^ *\\}$',
].map((line) => line.replaceAll('$', '\\n')).join(''), 'gm'))];
if (loops.length !== 1)
    fail(`${loops.length} loops look like the interpreter's`);
const [loop] = loops;
const [, label, read, , opcode, , table, first, cases] = loop;
const targets = new Map([...cases.matchAll(/(?:case (\d+)|default): goto (\w+);/g)]
    .map(([, number, target]) => [number === undefined ? -1 : Number(number), target]));
const addresses = Array.from({ length: 256 }, (_, code) => {
    const number = (word(Number(table) + 4 * code) - Number(first)) >>> 0;
    return `&&${targets.get(number) ?? targets.get(-1)}`;
});
const step = `${read.replace(/\s*\n\s*/g, ' ')}goto *next[${opcode}];`;
const begin = whole.lastIndexOf('\n}\n', loop.index);
const end = whole.indexOf('\n}\n', loop.index);
const body = whole.indexOf('CHECK_STACK;', begin);
const jumps = whole.slice(begin, end).split(`goto ${label};`).length - 1;
if (body < begin || body > loop.index || jumps < 100)
    fail('the function of the loop was not recognized');
const interpreter = whole.slice(body, loop.index)
    + `${label}: ${step}\n`
    + whole.slice(loop.index + loop[0].length, end);
writeFileSync(output, whole.slice(0, body)
    + `static const void *const next[256] = {${addresses.join(', ')}};\n  `
    + interpreter.replaceAll(`goto ${label};`, `{ ${step} }`)
    + whole.slice(end));
console.log(`translate: ${functions.size} functions, ${checked.size} look at the stack, `
    + `${accesses} accesses, ${jumps} jumps to the next instruction`);
