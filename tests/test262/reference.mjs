// reference.mjs ENGINE.wasm - runs programs by the engine alone, as pawl's runner does by a provider:
// each is the body of a strict async function, in an instance of its own. Reads from stdin, for each
// program, a line with its size in bytes and then its text; writes one line of JSON for each.
import { readFileSync } from 'node:fs';

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const TAG_EXCEPTION = 6n;
const UNDEFINED = 3n << 32n;
const EVAL_STRICT = 8;
const PENDING = 0;
const FULFILLED = 1;

function instantiate() {
    let exports;
    const memory = () => new DataView(exports.memory.buffer);
    const imports = {
        env: new Proxy({}, { get: () => () => 0, has: () => true }),
        wasi_snapshot_preview1: {
            clock_time_get(_id, _precision, result) {
                memory().setBigUint64(result, BigInt(Date.now()) * 1000000n, true);
                return 0;
            },
            random_get: () => 0,
            fd_close: () => 8,
            fd_fdstat_get: () => 8,
            fd_seek: () => 8,
            fd_write: () => 8,
        },
    };
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        if (!(name in imports[from]))
            throw new Error(`the engine imports ${from}.${name}, which is not known here`);
    }
    exports = new WebAssembly.Instance(module, imports).exports;
    exports._initialize();
    if (exports.qjs_init() !== 0)
        throw new Error('the engine did not start');
    return exports;
}

function copyIn(engine, bytes) {
    const address = engine.malloc(bytes.length + 1);
    const memory = new Uint8Array(engine.memory.buffer);
    memory.set(bytes, address);
    memory[address + bytes.length] = 0;
    return address;
}

function textOf(engine, context, value) {
    const size = engine.malloc(4);
    const address = engine.JS_ToCStringLen2(context, size, value, 0);
    if (address === 0)
        return 'unknown';
    const length = new DataView(engine.memory.buffer).getUint32(size, true);
    return Buffer.from(engine.memory.buffer, address, length).toString();
}

function run(text) {
    const engine = instantiate();
    const runtime = engine.qjs_get_runtime_ptr();
    const context = engine.qjs_get_context_ptr();
    const failed = (kind, value) =>
        ({ ok: false, error: { kind, message: textOf(engine, context, value) } });
    const isException = (value) => BigInt.asUintN(64, value) >> 32n === TAG_EXCEPTION;
    const source = copyIn(engine, text);
    const name = copyIn(engine, Buffer.from('program'));
    const made = engine.JS_Eval(context, source, text.length, name, EVAL_STRICT);
    if (isException(made))
        return failed('syntax', engine.JS_GetException(context));
    const promise = engine.JS_Call(context, made, UNDEFINED, 0, 0);
    if (isException(promise))
        return failed('runtime', engine.JS_GetException(context));
    const job = engine.malloc(4);
    while (engine.JS_ExecutePendingJob(runtime, job) > 0)
        continue;
    const state = engine.JS_PromiseState(context, promise);
    if (state === PENDING)
        return { ok: false, error: { kind: 'pending', message: '' } };
    if (state !== FULFILLED)
        return failed('runtime', engine.JS_PromiseResult(context, promise));
    return { ok: true };
}

const input = readFileSync(0);
for (let at = 0; at < input.length;) {
    const end = input.indexOf(10, at);
    const size = Number(input.subarray(at, end));
    const text = Buffer.concat([Buffer.from('(async function () {'),
        input.subarray(end + 1, end + 1 + size), Buffer.from('\n})')]);
    at = end + 1 + size;
    let result;
    try {
        result = run(text);
    } catch (error) {
        result = { ok: false, error: { kind: 'crash', message: String(error) } };
    }
    process.stdout.write(JSON.stringify(result) + '\n');
}
