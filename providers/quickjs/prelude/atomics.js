// Atomics: the engine has none where there are no threads. A program has one thread, so that what it
// does is atomic; what is left are the rules on arguments, and that nothing can be waited for.
(function (host) {
    const { hidden } = host;
    const { apply } = Reflect;
    const { getPrototypeOf, getOwnPropertyDescriptor, defineProperty } = Object;
    const { trunc } = Math;
    const { asIntN } = BigInt;
    const TypeErrorClass = TypeError;
    const RangeErrorClass = RangeError;
    const maxIndex = Number.MAX_SAFE_INTEGER;
    const anyBits = maxIndex;
    const typedArray = getPrototypeOf(Int8Array.prototype);
    const { at } = typedArray;
    const getter = (prototype, name) => {
        const { get } = getOwnPropertyDescriptor(prototype, name);
        return (object) => apply(get, object, []);
    };
    const typeOf = getter(typedArray, Symbol.toStringTag);
    const lengthOf = getter(typedArray, 'length');
    const bufferOf = getter(typedArray, 'buffer');
    const sharedSize = getter(SharedArrayBuffer.prototype, 'byteLength');

    // For each type of element, one element to convert values in.
    const elements = { __proto__: null };
    for (const Class of [Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array,
        BigInt64Array, BigUint64Array])
        elements[Class.name] = new Class(1);

    const isShared = (buffer) => {
        try {
            sharedSize(buffer);
            return true;
        } catch {
            return false;
        }
    };

    // Throws where an array has lost its buffer, or the part of it that it showed.
    const checkArray = (array) => {
        apply(at, array, [0]);
    };

    const elementOf = (array, canWait) => {
        const type = typeOf(array);
        if (canWait ? type !== 'Int32Array' && type !== 'BigInt64Array' : !elements[type])
            throw new TypeErrorClass(canWait ? 'an Int32Array or a BigInt64Array is expected'
                : 'a typed array of integers is expected');
        checkArray(array);
        return elements[type];
    };

    // -0 is 0, and so is NaN.
    const integer = (value) => trunc(+value) || 0;

    const indexOf = (array, value) => {
        const length = lengthOf(array);
        const index = integer(value);
        if (index < 0 || index > maxIndex || index >= length)
            throw new RangeErrorClass('the index is out of range');
        return index;
    };

    const valueFor = (element, value) =>
        typeof element[0] === 'bigint' ? asIntN(anyBits, value) : integer(value);

    const wrapped = (element, value) => {
        element[0] = value;
        return element[0];
    };

    // What came in between may have changed the array.
    const checkIndex = (array, index) => {
        checkArray(array);
        if (index >= lengthOf(array))
            throw new RangeErrorClass('the index is out of range');
    };

    const change = (array, index, value, operation) => {
        const element = elementOf(array, false);
        const place = indexOf(array, index);
        const operand = wrapped(element, valueFor(element, value));
        checkIndex(array, place);
        const before = array[place];
        array[place] = operation(before, operand);
        return before;
    };

    const operations = {
        add(array, index, value) {
            return change(array, index, value, (a, b) => a + b);
        },
        and(array, index, value) {
            return change(array, index, value, (a, b) => a & b);
        },
        compareExchange(array, index, expected, replacement) {
            const element = elementOf(array, false);
            const place = indexOf(array, index);
            const from = wrapped(element, valueFor(element, expected));
            const to = valueFor(element, replacement);
            checkIndex(array, place);
            const before = array[place];
            if (before === from)
                array[place] = to;
            return before;
        },
        exchange(array, index, value) {
            return change(array, index, value, (a, b) => b);
        },
        isLockFree(size) {
            const bytes = integer(size);
            return bytes === 1 || bytes === 2 || bytes === 4 || bytes === 8;
        },
        load(array, index) {
            elementOf(array, false);
            const place = indexOf(array, index);
            checkIndex(array, place);
            return array[place];
        },
        notify(array, index, count) {
            elementOf(array, true);
            indexOf(array, index);
            if (count !== undefined)
                integer(count);
            return 0;
        },
        or(array, index, value) {
            return change(array, index, value, (a, b) => a | b);
        },
        store(array, index, value) {
            const element = elementOf(array, false);
            const place = indexOf(array, index);
            const stored = valueFor(element, value);
            checkIndex(array, place);
            array[place] = stored;
            return stored;
        },
        sub(array, index, value) {
            return change(array, index, value, (a, b) => a - b);
        },
        wait(array, index, value, timeout) {
            const element = elementOf(array, true);
            if (!isShared(bufferOf(array)))
                throw new TypeErrorClass('the array is not one of a SharedArrayBuffer');
            indexOf(array, index);
            wrapped(element, valueFor(element, value));
            +timeout;
            throw new TypeErrorClass('a program has one thread: nothing could wake it');
        },
        xor(array, index, value) {
            return change(array, index, value, (a, b) => a ^ b);
        },
    };
    const Atomics = {};
    for (const name of Reflect.ownKeys(operations))
        hidden(Atomics, name, operations[name]);
    defineProperty(Atomics, Symbol.toStringTag, { value: 'Atomics', configurable: true });
    hidden(globalThis, 'Atomics', Atomics);
})
