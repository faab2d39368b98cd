// Runs programs as pawl does: each as the body of an async function, in a realm of its own. Reads a
// JSON array of texts from stdin and writes one line of JSON for each.
import { readFileSync } from 'node:fs';
import util from 'node:util';
import vm from 'node:vm';

// Where an error was made: the first frame of its stack that is the program's.
function lineOf(error) {
    const match = /program\.js:(\d+)/.exec(String(error?.stack ?? ''));
    return match ? Number(match[1]) : 0;
}

function describe(error) {
    if (!util.types.isNativeError(error))
        return { thrown: true };
    return { name: String(error.name), message: String(error.message), line: lineOf(error) };
}

async function run(text) {
    const logs = [];
    const log = (...values) =>
        logs.push(util.formatWithOptions({ breakLength: Infinity, compact: true, depth: 4 }, ...values));
    const context = vm.createContext({
        console: { log, info: log, warn: log, error: log, debug: log },
        setTimeout, clearTimeout, queueMicrotask, structuredClone,
    });
    let rejection = null;
    const unhandled = (reason) => { rejection ??= { reason }; };
    process.on('unhandledRejection', unhandled);
    let result;
    try {
        // Sloppy code and strict code differ; pawl's programs are strict.
        const script = new vm.Script(`(async function () {"use strict";${text}\n})`,
            { filename: 'program.js' });
        const value = await script.runInContext(context)();
        await new Promise((resolve) => setImmediate(resolve));
        if (rejection)
            throw rejection.reason;
        result = { value: value === undefined ? null : JSON.parse(JSON.stringify(value)), logs };
    } catch (error) {
        result = { error: describe(error), logs };
    }
    process.off('unhandledRejection', unhandled);
    return result;
}

for (const text of JSON.parse(readFileSync(0, 'utf8')))
    process.stdout.write(JSON.stringify(await run(text)) + '\n');
