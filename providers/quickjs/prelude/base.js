// What every program finds, and what the host asks of JavaScript. Each file of the prelude is one
// function that gets the host's functions and adds helpers to them. It is called once, when the
// template is made. What it uses later it takes now: programs may change every built-in.
(function (host) {
    const { getPrototypeOf, getOwnPropertyDescriptor, defineProperty, freeze } = Object;
    const { apply } = Reflect;
    const ErrorClass = Error;
    const TypeErrorClass = TypeError;
    const isError = ErrorClass.isError ?? ((value) => value instanceof ErrorClass);
    const { indexOf, slice } = String.prototype;
    const engineStack = getOwnPropertyDescriptor(ErrorClass.prototype, 'stack');
    const { get: mapGet, set: mapSet } = WeakMap.prototype;

    const hidden = (object, name, value) =>
        defineProperty(object, name, { value, writable: true, configurable: true });
    host.hidden = hidden;

    // --- Names -----------------------------------------------------------------------------------

    // The name of the constructor of an object, without running anything of the program.
    host.className = (object) => {
        for (let proto = getPrototypeOf(object); proto !== null; proto = getPrototypeOf(proto)) {
            const constructor = getOwnPropertyDescriptor(proto, 'constructor')?.value;
            if (typeof constructor !== 'function')
                continue;
            const name = getOwnPropertyDescriptor(constructor, 'name')?.value;
            if (typeof name === 'string' && name !== '')
                return name;
        }
        return 'object of a class of its own';
    };

    // The same for messages: iterators have no constructor but a tag.
    const { toStringTag } = Symbol;
    host.kindName = (object) => {
        for (let proto = getPrototypeOf(object); proto !== null; proto = getPrototypeOf(proto)) {
            const constructor = getOwnPropertyDescriptor(proto, 'constructor')?.value;
            const tag = getOwnPropertyDescriptor(proto, toStringTag)?.value;
            if (typeof constructor === 'function')
                break;
            if (typeof tag === 'string' && tag !== '')
                return tag;
        }
        return host.className(object);
    };

    // --- Errors ----------------------------------------------------------------------------------

    host.errorClass = (name) => {
        const Class = {
            [name]: class extends ErrorClass {
            },
        }[name];
        hidden(Class.prototype, 'name', name);
        return Class;
    };

    // The stack of such an error begins with this prelude's frames and the binding's own, which are
    // none of the program's.
    const native = '(native)\n';
    const callStacks = new WeakMap();
    const stackOf = (error) =>
        apply(mapGet, callStacks, [error]) ?? apply(engineStack.get, error, []);
    host.callError = (Class, property, member) => {
        const error = new Class('');
        const stack = stackOf(error);
        const start = apply(indexOf, stack, [native]);
        if (start >= 0)
            apply(mapSet, callStacks, [error, apply(slice, stack, [start + native.length])]);
        if (property !== null)
            defineProperty(error, property,
                { value: member, writable: true, enumerable: true, configurable: true });
        return error;
    };

    // Where the program is; the first line, of this function itself, is left out.
    host.where = () => {
        const stack = apply(engineStack.get, new ErrorClass(''), []);
        return apply(slice, stack, [apply(indexOf, stack, ['\n']) + 1]);
    };

    const textOf = (value) => {
        try {
            return typeof value === 'string' ? value : `${value}`;
        } catch {
            return '';
        }
    };

    // The engine counts the columns of the first line from the beginning of the text that pawl puts
    // before the program: "(async function () {".
    const WRAPPER = 20;
    const firstLine = '(program:1:';
    const withTrueColumns = (stack) => {
        let text = '';
        let from = 0;
        for (;;) {
            const found = apply(indexOf, stack, [firstLine, from]);
            if (found < 0)
                return text + apply(slice, stack, [from]);
            const number = found + firstLine.length;
            const end = apply(indexOf, stack, [')', number]);
            text += apply(slice, stack, [from, number]);
            text += apply(slice, stack, [number, end]) - WRAPPER;
            from = end;
        }
    };

    // The prelude's own functions, of files such as <url>, are built-in ones for the program.
    const preludeFile = ' (<';
    const withoutPrelude = (stack) => {
        let text = '';
        let from = 0;
        for (;;) {
            const found = apply(indexOf, stack, [preludeFile, from]);
            if (found < 0)
                return text + apply(slice, stack, [from]);
            text += `${apply(slice, stack, [from, found])} (native)`;
            from = apply(indexOf, stack, [')', found]) + 1;
        }
    };

    const get = (object, name) => {
        try {
            return object[name];
        } catch {
            return undefined;
        }
    };

    // As in other engines, the first line says what the error is.
    defineProperty(ErrorClass.prototype, 'stack', {
        get: getOwnPropertyDescriptor({
            get stack() {
                const stack = stackOf(this);
                if (typeof stack !== 'string')
                    return stack;
                const shown = withoutPrelude(withTrueColumns(stack));
                return `${titleOf(this)}\n${apply(slice, shown, [0, -1])}`;
            },
        }, 'stack').get,
        set: engineStack.set,
    });

    // What a message is about, for suggestions.
    const subjects = [
        /^(\S+) is not defined$/,
        /^(\S+) is not a function$/,
        /^cannot read property '(.*)' of /,
    ];
    const exec = RegExp.prototype.exec;
    const subjectOf = (message) => {
        for (let i = 0; i < subjects.length; i++) {
            const match = apply(exec, subjects[i], [message]);
            if (match)
                return match[1];
        }
        return '';
    };

    const titleOf = (error) => {
        const name = textOf(get(error, 'name') ?? 'Error');
        const message = textOf(get(error, 'message') ?? '');
        return message === '' ? name : name === '' ? message : `${name}: ${message}`;
    };
    host.copyStack = (from, to) => {
        apply(mapSet, callStacks, [to, stackOf(from)]);
    };

    host.describe = (thrown) => {
        if (!isError(thrown)) {
            if (typeof thrown === 'string')
                return [`the program threw the string ${host.inspect(thrown, true)}`, '', ''];
            return [`the program threw ${host.inspect(thrown, true)}`, '', ''];
        }
        const message = textOf(get(thrown, 'message') ?? '');
        let stack = '';
        try {
            const own = getOwnPropertyDescriptor(thrown, 'stack');
            stack = textOf(own ? own.value : stackOf(thrown));
        } catch {
            // an error without a stack has no place
        }
        // The constructors of its own class are not where it was made.
        for (let proto = getPrototypeOf(thrown); proto !== null; proto = getPrototypeOf(proto)) {
            const constructor = getOwnPropertyDescriptor(proto, 'constructor')?.value;
            const frame = typeof constructor === 'function'
                ? `    at ${getOwnPropertyDescriptor(constructor, 'name')?.value} (` : ' ';
            const end = apply(indexOf, stack, ['\n']) + 1;
            if (apply(slice, stack, [0, frame.length]) === frame && end < stack.length)
                stack = apply(slice, stack, [end]);
        }
        return [titleOf(thrown), stack, subjectOf(message)];
    };

    // --- Timers ----------------------------------------------------------------------------------

    const timer = (set, name) => ({
        [name](callback, delay, ...rest) {
            if (typeof callback !== 'function')
                throw new TypeErrorClass(`${name}: the first argument must be a function`);
            return set(callback, +delay, rest);
        },
    })[name];
    const { setTimeout: once, setInterval: repeated, clearTimer } = host;
    hidden(globalThis, 'setTimeout', timer(once, 'setTimeout'));
    hidden(globalThis, 'setInterval', timer(repeated, 'setInterval'));
    hidden(globalThis, 'clearTimeout', { clearTimeout(id) { clearTimer(id); } }.clearTimeout);
    hidden(globalThis, 'clearInterval', { clearInterval(id) { clearTimer(id); } }.clearInterval);
    host.runTimer = (callback, rest) => {
        apply(callback, undefined, rest);
    };

    const PromiseClass = Promise;
    const resolve = PromiseClass.resolve;
    host.settled = () => apply(resolve, PromiseClass, []);

    // --- Randomness ------------------------------------------------------------------------------

    const { random } = host;
    hidden(Math, 'random', { random() { return random(); } }.random);

    freeze(subjects);
})
