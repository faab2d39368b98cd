// TextEncoder and TextDecoder (WHATWG Encoding): UTF-8, and for decoding also UTF-16LE and
// windows-1252 under the labels that programs use.
(function (host) {
    const { hidden } = host;
    const { apply } = Reflect;
    const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
    const charCodeAt = String.prototype.charCodeAt;
    const fromCharCode = String.fromCharCode;
    const { toLowerCase, trim } = String.prototype;
    const TypeErrorClass = TypeError;
    const RangeErrorClass = RangeError;
    const Bytes = Uint8Array;
    const subarray = Bytes.prototype.subarray;
    const slice = Bytes.prototype.slice;
    const { isView } = ArrayBuffer;
    const TypedArray = getPrototypeOf(Bytes);
    const of = (Class, name) => {
        const { get } = getOwnPropertyDescriptor(Class.prototype, name);
        return (object) => apply(get, object, []);
    };
    const bufferLength = of(ArrayBuffer, 'byteLength');
    const viewOf = {
        buffer: of(TypedArray, 'buffer'), offset: of(TypedArray, 'byteOffset'),
        length: of(TypedArray, 'byteLength'),
    };
    const dataViewOf = {
        buffer: of(DataView, 'buffer'), offset: of(DataView, 'byteOffset'),
        length: of(DataView, 'byteLength'),
    };

    // --- Encoding --------------------------------------------------------------------------------

    // Writes as much of the text as fits; returns [units read, bytes written].
    const encodeInto = (text, bytes, room) => {
        let at = 0;
        let read = 0;
        for (; read < text.length; read++) {
            let code = apply(charCodeAt, text, [read]);
            let units = 1;
            if (code >= 0xd800 && code < 0xe000) {
                const next = read + 1 < text.length ? apply(charCodeAt, text, [read + 1]) : 0;
                if (code < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
                    code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
                    units = 2;
                } else {
                    code = 0xfffd;
                }
            }
            const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
            if (at + size > room)
                break;
            if (size === 1) {
                bytes[at++] = code;
            } else {
                bytes[at++] = (size === 2 ? 0xc0 : size === 3 ? 0xe0 : 0xf0) | (code >> (6 * (size - 1)));
                for (let shift = 6 * (size - 2); shift >= 0; shift -= 6)
                    bytes[at++] = 0x80 | ((code >> shift) & 0x3f);
            }
            read += units - 1;
        }
        return [read, at];
    };

    class TextEncoder {
        get encoding() {
            return 'utf-8';
        }
        encode(input = '') {
            const text = `${input}`;
            const bytes = new Bytes(text.length * 3);
            const written = encodeInto(text, bytes, bytes.length)[1];
            return apply(slice, bytes, [0, written]);
        }
        encodeInto(source, destination) {
            const [read, written] = encodeInto(`${source}`, destination, viewOf.length(destination));
            return { read, written };
        }
    }

    // --- Decoding --------------------------------------------------------------------------------

    const bytesOf = (input) => {
        if (input === undefined)
            return new Bytes(0);
        if (isView(input)) {
            let of = viewOf;
            try {
                of.buffer(input);
            } catch {
                of = dataViewOf;
            }
            return new Bytes(of.buffer(input), of.offset(input), of.length(input));
        }
        try {
            bufferLength(input);
        } catch {
            throw new TypeErrorClass('TextDecoder.decode: the argument must be an ArrayBuffer or a view of one');
        }
        return new Bytes(input);
    };

    // Code units gathered into text in pieces that fit on the stack.
    const gather = () => {
        let text = '';
        let units = [];
        let count = 0;
        const flush = () => {
            text += apply(fromCharCode, undefined, units);
            units = [];
            count = 0;
        };
        return {
            put(code) {
                if (code >= 0x10000) {
                    defineProperty(units, count++, item(0xd7c0 + (code >> 10)));
                    defineProperty(units, count++, item(0xdc00 + (code & 0x3ff)));
                } else {
                    defineProperty(units, count++, item(code));
                }
                if (count > 4000)
                    flush();
            },
            end() {
                flush();
                return text;
            },
        };
    };
    const item = (value) => ({ __proto__: null, value, writable: true, enumerable: true, configurable: true });

    const decodeUtf8 = (state, bytes, stream) => {
        const out = gather();
        const bad = () => {
            if (state.fatal)
                throw new TypeErrorClass('TextDecoder.decode: the bytes are not valid UTF-8');
            out.put(0xfffd);
        };
        const { length } = bytes;
        let { needed, seen, code, lower, upper } = state;
        for (let i = 0; i < length; i++) {
            const byte = bytes[i];
            if (needed === 0) {
                if (byte < 0x80) {
                    out.put(byte);
                } else if (byte >= 0xc2 && byte <= 0xdf) {
                    needed = 1;
                    code = byte & 0x1f;
                } else if (byte >= 0xe0 && byte <= 0xef) {
                    lower = byte === 0xe0 ? 0xa0 : 0x80;
                    upper = byte === 0xed ? 0x9f : 0xbf;
                    needed = 2;
                    code = byte & 0xf;
                } else if (byte >= 0xf0 && byte <= 0xf4) {
                    lower = byte === 0xf0 ? 0x90 : 0x80;
                    upper = byte === 0xf4 ? 0x8f : 0xbf;
                    needed = 3;
                    code = byte & 7;
                } else {
                    bad();
                }
                seen = 0;
                continue;
            }
            if (byte < lower || byte > upper) {
                needed = 0;
                lower = 0x80;
                upper = 0xbf;
                bad();
                i--;
                continue;
            }
            lower = 0x80;
            upper = 0xbf;
            code = code << 6 | byte & 0x3f;
            if (++seen === needed) {
                out.put(code);
                needed = 0;
            }
        }
        if (!stream && needed > 0) {
            needed = 0;
            lower = 0x80;
            upper = 0xbf;
            bad();
        }
        state.needed = needed;
        state.seen = seen;
        state.code = code;
        state.lower = lower;
        state.upper = upper;
        return out.end();
    };

    const decodeUtf16 = (state, bytes, stream) => {
        const out = gather();
        let half = state.half;
        for (let i = 0; i < bytes.length; i++) {
            if (half < 0) {
                half = bytes[i];
            } else {
                out.put(half | bytes[i] << 8);
                half = -1;
            }
        }
        if (!stream && half >= 0) {
            if (state.fatal)
                throw new TypeErrorClass('TextDecoder.decode: half a character of UTF-16');
            out.put(0xfffd);
            half = -1;
        }
        state.half = half;
        return out.end().toWellFormed();
    };

    const upperHalf = [
        0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
        0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
        0x153, 0x9d, 0x17e, 0x178,
    ];
    const decodeWindows1252 = (state, bytes) => {
        const out = gather();
        for (let i = 0; i < bytes.length; i++)
            out.put(bytes[i] >= 0x80 && bytes[i] < 0xa0 ? upperHalf[bytes[i] - 0x80] : bytes[i]);
        return out.end();
    };

    const labels = {
        __proto__: null,
        'utf-8': 'utf-8', utf8: 'utf-8', 'unicode-1-1-utf-8': 'utf-8',
        'utf-16le': 'utf-16le', 'utf-16': 'utf-16le', 'ucs-2': 'utf-16le',
        'windows-1252': 'windows-1252', latin1: 'windows-1252', 'iso-8859-1': 'windows-1252',
        ascii: 'windows-1252', 'us-ascii': 'windows-1252', l1: 'windows-1252',
    };
    const decoders = {
        __proto__: null, 'utf-8': decodeUtf8, 'utf-16le': decodeUtf16, 'windows-1252': decodeWindows1252,
    };

    class TextDecoder {
        #state;
        #bom = false;
        constructor(label = 'utf-8', options = undefined) {
            const encoding = labels[apply(toLowerCase, apply(trim, `${label}`, []), [])];
            if (encoding === undefined)
                throw new RangeErrorClass(`TextDecoder: the encoding ${label} is not supported`);
            this.#state = {
                encoding, fatal: !!options?.fatal, ignoreBOM: !!options?.ignoreBOM,
                needed: 0, seen: 0, code: 0, lower: 0x80, upper: 0xbf, half: -1,
            };
        }
        get encoding() {
            return this.#state.encoding;
        }
        get fatal() {
            return this.#state.fatal;
        }
        get ignoreBOM() {
            return this.#state.ignoreBOM;
        }
        decode(input = undefined, options = undefined) {
            const state = this.#state;
            const stream = !!options?.stream;
            let text = decoders[state.encoding](state, bytesOf(input), stream);
            if (!this.#bom && !state.ignoreBOM && state.encoding !== 'windows-1252' && text !== '') {
                if (apply(charCodeAt, text, [0]) === 0xfeff)
                    text = apply(textSlice, text, [1]);
                this.#bom = true;
            }
            if (!stream)
                this.#bom = false;
            return text;
        }
    }
    const textSlice = String.prototype.slice;

    for (const Class of [TextEncoder, TextDecoder]) {
        defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
        hidden(globalThis, Class.name, Class);
    }
    host.utf8 = (text) => {
        const bytes = new Bytes(text.length * 3);
        const written = encodeInto(text, bytes, bytes.length)[1];
        return apply(subarray, bytes, [0, written]);
    };
    host.fromUtf8 = (bytes) => decodeUtf8(
        { fatal: false, needed: 0, seen: 0, code: 0, lower: 0x80, upper: 0xbf }, bytes, false);
})
