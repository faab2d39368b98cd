// structuredClone (HTML): everything that programs can make but functions, symbols and Proxies.
(function (host) {
    const { hidden, className, copyStack } = host;
    const { apply, ownKeys } = Reflect;
    const {
        getOwnPropertyDescriptor, getPrototypeOf, defineProperty, prototype: plain,
    } = Object;
    const { isArray } = Array;
    const DOMExceptionClass = DOMException;
    const call = (Class, name) => {
        const method = Class.prototype[name];
        return (object, ...rest) => apply(method, object, rest);
    };
    const getter = (Class, name) => {
        const { get } = getOwnPropertyDescriptor(Class.prototype, name);
        return (object) => apply(get, object, []);
    };
    const MapClass = Map;
    const SetClass = Set;
    const DateClass = Date;
    const RegExpClass = RegExp;
    const ArrayBufferClass = ArrayBuffer;
    const DataViewClass = DataView;
    const BooleanClass = Boolean;
    const NumberClass = Number;
    const StringClass = String;
    const symbolText = call(Symbol, 'toString');
    const time = call(Date, 'getTime');
    const source = getter(RegExp, 'source');
    const flags = getter(RegExp, 'flags');
    const mapForEach = call(Map, 'forEach');
    const mapSet = call(Map, 'set');
    const mapGet = call(Map, 'get');
    const mapHas = call(Map, 'has');
    const setForEach = call(Set, 'forEach');
    const setAdd = call(Set, 'add');
    const copyBuffer = call(ArrayBuffer, 'slice');
    const bufferLength = getter(ArrayBuffer, 'byteLength');
    const boolean = call(Boolean, 'valueOf');
    const number = call(Number, 'valueOf');
    const string = call(String, 'valueOf');
    const TypedArray = getPrototypeOf(Uint8Array);
    const typedName = (() => {
        const { get } = getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag);
        return (object) => apply(get, object, []);
    })();
    const typedBuffer = getter(TypedArray, 'buffer');
    const typedOffset = getter(TypedArray, 'byteOffset');
    const typedLength = getter(TypedArray, 'length');
    const viewBuffer = getter(DataView, 'buffer');
    const viewOffset = getter(DataView, 'byteOffset');
    const viewLength = getter(DataView, 'byteLength');
    const isError = Error.isError ?? ((value) => value instanceof Error);
    const errors = {
        __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
    };
    const typed = {
        __proto__: null, Uint8ClampedArray, Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array,
        Uint32Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array,
    };

    // The value of a probe, or `no` where the object is not of its class.
    const no = {};
    const probe = (method, object) => {
        try {
            return method(object);
        } catch {
            return no;
        }
    };

    const fail = (what) => {
        throw new DOMExceptionClass(`${what} could not be cloned.`, 'DataCloneError');
    };

    const put = (object, key, value) => defineProperty(object, key,
        { __proto__: null, value, writable: true, enumerable: true, configurable: true });

    const properties = (from, to, state) => {
        const keys = ownKeys(from);
        for (let i = 0; i < keys.length; i++) {
            const key = keys[i];
            if (typeof key === 'string' && getOwnPropertyDescriptor(from, key)?.enumerable)
                put(to, key, clone(from[key], state));
        }
        return to;
    };

    const cloneError = (error, state) => {
        const name = errors[error.name] ? error.name : 'Error';
        const copy = new errors[name](error.message);
        mapSet(state, error, copy);
        copyStack(error, copy);
        if (getOwnPropertyDescriptor(error, 'cause'))
            hidden(copy, 'cause', clone(error.cause, state));
        return copy;
    };

    const cloneObject = (object, state) => {
        const remember = (copy) => {
            mapSet(state, object, copy);
            return copy;
        };
        if (isArray(object)) {
            const copy = remember([]);
            copy.length = object.length;
            return properties(object, copy, state);
        }
        let value;
        if ((value = probe(time, object)) !== no)
            return remember(new DateClass(value));
        if (getPrototypeOf(object) !== plain && (value = probe(source, object)) !== no
            && object !== RegExpClass.prototype)
            return remember(new RegExpClass(value, flags(object)));
        if (typedName(object) !== undefined) {
            const buffer = clone(typedBuffer(object), state);
            return remember(new typed[typedName(object)](buffer, typedOffset(object), typedLength(object)));
        }
        if ((value = probe(bufferLength, object)) !== no)
            return remember(copyBuffer(object, 0, value));
        if ((value = probe(viewBuffer, object)) !== no)
            return remember(new DataViewClass(clone(value, state), viewOffset(object), viewLength(object)));
        if (probe((map) => mapHas(map, 0), object) !== no) {
            const copy = remember(new MapClass());
            const pairs = [];
            mapForEach(object, (member, key) => put(pairs, pairs.length, [key, member]));
            for (let i = 0; i < pairs.length; i++)
                mapSet(copy, clone(pairs[i][0], state), clone(pairs[i][1], state));
            return copy;
        }
        if (probe((set) => setForEach(set, () => {}), object) !== no) {
            const copy = remember(new SetClass());
            const members = [];
            setForEach(object, (member) => put(members, members.length, member));
            for (let i = 0; i < members.length; i++)
                setAdd(copy, clone(members[i], state));
            return copy;
        }
        if (isError(object))
            return cloneError(object, state);
        if ((value = probe(boolean, object)) !== no)
            return remember(new BooleanClass(value));
        if ((value = probe(number, object)) !== no)
            return remember(new NumberClass(value));
        if ((value = probe(string, object)) !== no)
            return remember(new StringClass(value));
        const name = className(object);
        if (name === 'Promise' || name === 'WeakMap' || name === 'WeakSet' || name === 'WeakRef')
            fail(`#<${name}>`);
        return properties(object, remember({}), state);
    };

    const clone = (value, state) => {
        switch (typeof value) {
        case 'function': return fail(`${value}`);
        case 'symbol': return fail(symbolText(value));
        case 'object': break;
        default: return value;
        }
        if (value === null)
            return null;
        return mapHas(state, value) ? mapGet(state, value) : cloneObject(value, state);
    };

    hidden(globalThis, 'structuredClone', {
        structuredClone(value) {
            return clone(value, new MapClass());
        },
    }.structuredClone);
})
