// console, and how values are shown in logs and messages: as Node shows them, on one line where they
// fit, with limits on depth and length.
(function (host) {
    const { hidden, log, className } = host;
    const { getPrototypeOf, getOwnPropertyDescriptor, keys } = Object;
    const { ownKeys, apply } = Reflect;
    const { isArray } = Array;
    const isError = Error.isError ?? ((value) => value instanceof Error);
    const stringify = JSON.stringify;
    const { parseInt, parseFloat, Number: toNumber } = globalThis;
    const method = (Class, name) => {
        const call = Class.prototype[name];
        return (object, ...rest) => apply(call, object, rest);
    };
    const getter = (Class, name) => {
        const { get } = getOwnPropertyDescriptor(Class.prototype, name);
        return (object) => apply(get, object, []);
    };
    const join = method(Array, 'join');
    const push = method(Array, 'push');
    const includes = method(Array, 'includes');
    const pop = method(Array, 'pop');
    const slice = method(String, 'slice');
    const test = method(RegExp, 'test');
    const replace = method(String, 'replace');
    const toISOString = method(Date, 'toISOString');
    const getTime = method(Date, 'getTime');
    const regExpSource = method(RegExp, 'toString');
    const symbolText = method(Symbol, 'toString');
    const mapSize = getter(Map, 'size');
    const setSize = getter(Set, 'size');
    const mapForEach = method(Map, 'forEach');
    const setForEach = method(Set, 'forEach');
    const numberValue = method(Number, 'valueOf');
    const stringValue = method(String, 'valueOf');
    const booleanValue = method(Boolean, 'valueOf');
    const byteLength = getter(ArrayBuffer, 'byteLength');
    const TypedArray = getPrototypeOf(Uint8Array);
    const typedName = (() => {
        const { get } = getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag);
        return (object) => apply(get, object, []);
    })();
    const typedLength = getter(TypedArray, 'length');

    const MAX_DEPTH = 4;
    const MAX_ITEMS = 100;
    const MAX_STRING = 10000;
    const MAX_TEXT = 200000;
    const LINE = 120;

    const identifier = /^[A-Za-z_$][\w$]*$/;
    const lineStart = /^/gm;
    // Whichever quotes need no escape, as node does.
    const quote = (text) => {
        const json = stringify(text);
        if (!includes2(text, "'"))
            return `'${replace(slice(json, 1, -1), escapedQuote, '"')}'`;
        if (!includes2(text, '"'))
            return json;
        const inner = replace(slice(json, 1, -1), escapedQuote, '"');
        return includes2(text, '`') || includes2(text, '${')
            ? `'${replace(inner, apostrophe, "\\'")}'` : `\`${inner}\``;
    };
    const escapedQuote = /\\"/g;
    const apostrophe = /'/g;
    const indexOf = method(String, 'indexOf');
    const includes2 = (text, part) => indexOf(text, part) >= 0;

    const shownString = (text) => text.length <= MAX_STRING
        ? text : `${slice(text, 0, MAX_STRING)}... ${text.length - MAX_STRING} more characters`;

    // Whether a call succeeds: the safest way to ask for the kind of an object.
    const is = (probe, object) => {
        try {
            probe(object);
            return true;
        } catch {
            return false;
        }
    };

    const number = (value) => value === 0 && 1 / value < 0 ? '-0' : `${value}`;

    const primitive = (value) => {
        switch (typeof value) {
        case 'string': return quote(shownString(value));
        case 'number': return number(value);
        case 'bigint': return `${value}n`;
        case 'symbol': return symbolText(value);
        default: return `${value}`;
        }
    };

    const functionText = (value) => {
        const name = getOwnPropertyDescriptor(value, 'name')?.value;
        const kind = test(/^class\b/, functionSource(value)) ? 'class' : 'Function';
        if (typeof name !== 'string' || name === '')
            return `[${kind} (anonymous)]`;
        return kind === 'class' ? `[class ${name}]` : `[Function: ${name}]`;
    };
    const functionSource = method(Function, 'toString');

    const errorText = (error) => {
        try {
            const { name, message } = error;
            return message === '' || message === undefined ? `${name}` : `${name}: ${message}`;
        } catch {
            return 'Error';
        }
    };

    const keyText = (key) => typeof key === 'symbol' ? `[${symbolText(key)}]`
        : test(identifier, key) ? key : quote(key);

    // Own enumerable properties, as `key: value`; getters are not run.
    const properties = (object, skip, state, parts) => {
        const keys = ownKeys(object);
        for (let i = 0; i < keys.length; i++) {
            const key = keys[i];
            if (skip && skip(key))
                continue;
            const descriptor = getOwnPropertyDescriptor(object, key);
            if (!descriptor?.enumerable)
                continue;
            if (parts.length >= MAX_ITEMS) {
                push(parts, `... ${keys.length - i} more`);
                break;
            }
            const value = 'value' in descriptor ? inspect(descriptor.value, state)
                : descriptor.get ? (descriptor.set ? '[Getter/Setter]' : '[Getter]') : '[Setter]';
            push(parts, `${keyText(key)}: ${value}`);
        }
        return parts;
    };

    const isIndex = /^(?:0|[1-9]\d*)$/;
    const notElement = (key) => typeof key === 'string' && test(isIndex, key);

    const elements = (array, length, state, parts) => {
        let holes = 0;
        const flush = () => {
            if (holes > 0)
                push(parts, `<${holes} empty item${holes > 1 ? 's' : ''}>`);
            holes = 0;
        };
        for (let i = 0; i < length; i++) {
            if (parts.length >= MAX_ITEMS) {
                flush();
                push(parts, `... ${length - i} more item${length - i > 1 ? 's' : ''}`);
                return parts;
            }
            const descriptor = getOwnPropertyDescriptor(array, i);
            if (!descriptor) {
                holes++;
                continue;
            }
            flush();
            push(parts, 'value' in descriptor ? inspect(descriptor.value, state) : '[Getter]');
        }
        flush();
        return parts;
    };

    const wrap = (prefix, open, parts, close, state) => {
        if (parts.length === 0)
            return `${prefix}${open}${close}`;
        let total = 0;
        let lines = false;
        for (let i = 0; i < parts.length; i++) {
            total += parts[i].length + 2;
            lines ||= includes2(parts[i], '\n');
        }
        const space = open === '[' ? ' ' : ' ';
        if (!lines && total + prefix.length + state.seen.length * 2 <= LINE)
            return `${prefix}${open}${space}${join(parts, ', ')}${space}${close}`;
        return `${prefix}${open}\n${replace(join(parts, ',\n'), lineStart, '  ')}\n${close}`;
    };

    const label = (object, usual) => {
        const name = getPrototypeOf(object) === null ? '[Object: null prototype]' : className(object);
        return name === usual ? '' : `${name} `;
    };

    const objectText = (object, state) => {
        if (isArray(object))
            return wrap(label(object, 'Array') && `${className(object)}(${object.length}) `, '[',
                properties(object, (key) => notElement(key) || key === 'length', state,
                    elements(object, object.length, state, [])), ']', state);
        if (is(mapSize, object)) {
            const parts = [];
            let left = 0;
            mapForEach(object, (value, key) => {
                if (parts.length < MAX_ITEMS)
                    push(parts, `${inspect(key, state)} => ${inspect(value, state)}`);
                else
                    left++;
            });
            if (left > 0)
                push(parts, `... ${left} more`);
            return wrap(`${className(object)}(${mapSize(object)}) `, '{', parts, '}', state);
        }
        if (is(setSize, object)) {
            const parts = [];
            let left = 0;
            setForEach(object, (value) => {
                if (parts.length < MAX_ITEMS)
                    push(parts, inspect(value, state));
                else
                    left++;
            });
            if (left > 0)
                push(parts, `... ${left} more`);
            return wrap(`${className(object)}(${setSize(object)}) `, '{', parts, '}', state);
        }
        const typed = typedName(object);
        if (typed !== undefined) {
            const length = typedLength(object);
            return wrap(`${typed}(${length}) `, '[', elements(object, length, state, []), ']', state);
        }
        if (is(byteLength, object))
            return `ArrayBuffer { byteLength: ${byteLength(object)} }`;
        if (is(numberValue, object))
            return `[Number: ${number(numberValue(object))}]`;
        if (is(stringValue, object))
            return `[String: ${quote(stringValue(object))}]`;
        if (is(booleanValue, object))
            return `[Boolean: ${booleanValue(object)}]`;
        return wrap(label(object, 'Object'), '{', properties(object, null, state, []), '}', state);
    };

    const inspect = (value, state) => {
        if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
            return primitive(value);
        if (state.size > MAX_TEXT)
            return '...';
        let text;
        try {
            if (includes(state.seen, value))
                return '[Circular]';
            if (typeof value === 'function') {
                text = functionText(value);
            } else if (isError(value)) {
                const parts = properties(value, (key) => key === 'stack' || key === 'message', {
                    ...state, seen: [...state.seen, value] }, []);
                text = errorText(value);
                text = state.seen.length > 0 ? `[${text}]` : text;
                if (parts.length > 0)
                    text = wrap(`${text} `, '{', parts, '}', state);
            } else if (is(getTime, value)) {
                text = getTime(value) === getTime(value) ? toISOString(value) : 'Invalid Date';
            } else if (is(regExpSource, value) && className(value) === 'RegExp') {
                text = regExpSource(value);
            } else if (className(value) === 'Promise') {
                text = 'Promise {}';
            } else if (state.seen.length > MAX_DEPTH) {
                text = isArray(value) ? '[Array]' : `[${className(value)}]`;
            } else {
                push(state.seen, value);
                text = objectText(value, state);
                pop(state.seen);
            }
        } catch {
            text = '[object that cannot be shown]';
        }
        state.size += text.length;
        return text;
    };
    host.inspect = (value) => inspect(value, { seen: [], size: 0 });

    // The arguments of a console function, as one text: with %s, %d, %i, %f, %j, %o, %O and %c.
    const placeholder = /%[sdifjoOc%]/g;
    const format = (values) => {
        let text = '';
        let next = 0;
        if (typeof values[0] === 'string') {
            next = 1;
            text = values.length === 1 ? values[0] : replace(values[0], placeholder, (mark) => {
                if (mark === '%%')
                    return '%';
                if (next >= values.length)
                    return mark;
                const value = values[next++];
                switch (mark) {
                case '%s': return typeof value === 'string' ? value
                    : typeof value === 'function' ? `${value}` : host.inspect(value);
                case '%d': return typeof value === 'object' ? 'NaN' : number(toNumber(value));
                case '%i': return typeof value === 'object' ? 'NaN' : `${parseInt(value, 10)}`;
                case '%f': return `${parseFloat(value)}`;
                case '%j': return stringify(value);
                case '%c': return '';
                default: return host.inspect(value);
                }
            });
        }
        for (let i = next; i < values.length; i++) {
            const value = values[i];
            const shown = typeof value === 'string' ? value : host.inspect(value);
            text = i === 0 ? shown : `${text} ${shown}`;
        }
        return text;
    };

    let indent = '';
    const write = (values) => {
        const text = format(values);
        log(indent === '' ? text : replace(text, lineStart, indent));
    };

    const counts = new Map();
    const timers = new Map();
    const mapGet = method(Map, 'get');
    const mapSet = method(Map, 'set');
    const mapDelete = method(Map, 'delete');
    const now = performance.now;
    const clock = () => apply(now, performanceObject, []);
    const performanceObject = performance;

    const table = (rows) => {
        if (rows === null || typeof rows !== 'object')
            return write([rows]);
        const columns = [];
        const lines = [];
        const cell = (value) => value !== null && typeof value === 'object' ? host.inspect(value)
            : primitive(value);
        const indices = keys(rows);
        for (let i = 0; i < indices.length; i++) {
            const row = rows[indices[i]];
            const cells = { '(index)': indices[i] };
            if (row !== null && typeof row === 'object') {
                const names = keys(row);
                for (let j = 0; j < names.length; j++) {
                    cells[names[j]] = cell(row[names[j]]);
                    if (!includes(columns, names[j]))
                        push(columns, names[j]);
                }
            } else {
                cells.Values = cell(row);
                if (!includes(columns, 'Values'))
                    push(columns, 'Values');
            }
            push(lines, cells);
        }
        const head = ['(index)', ...columns];
        let text = join(head, ' | ');
        for (let i = 0; i < lines.length; i++) {
            const cells = [];
            for (let j = 0; j < head.length; j++)
                push(cells, lines[i][head[j]] ?? '');
            text += `\n${join(cells, ' | ')}`;
        }
        log(text);
    };

    const console = {
        log(...values) { write(values); },
        info(...values) { write(values); },
        warn(...values) { write(values); },
        error(...values) { write(values); },
        debug(...values) { write(values); },
        trace(...values) { write(['Trace:', ...values]); },
        dir(value) { write([value]); },
        table,
        assert(condition, ...values) {
            if (!condition)
                write(values.length > 0 ? ['Assertion failed:', ...values] : ['Assertion failed']);
        },
        count(name = 'default') {
            const count = (mapGet(counts, name) ?? 0) + 1;
            mapSet(counts, name, count);
            write([`${name}: ${count}`]);
        },
        countReset(name = 'default') { mapDelete(counts, name); },
        group(...values) {
            if (values.length > 0)
                write(values);
            indent += '  ';
        },
        groupCollapsed(...values) { console.group(...values); },
        groupEnd() { indent = slice(indent, 2); },
        time(name = 'default') { mapSet(timers, name, clock()); },
        timeLog(name = 'default', ...values) {
            const start = mapGet(timers, name);
            if (start !== undefined)
                write([`${name}: ${(clock() - start).toFixed(3)}ms`, ...values]);
        },
        timeEnd(name = 'default') {
            console.timeLog(name);
            mapDelete(timers, name);
        },
    };
    hidden(globalThis, 'console', console);
})
