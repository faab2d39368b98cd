// URL and URLSearchParams (WHATWG URL). Hosts are ASCII, or become so by Punycode after lower-casing and
// NFC; the mapping tables of UTS 46 beyond that are not here.
(function (host) {
    const { hidden, utf8, fromUtf8 } = host;
    const { apply } = Reflect;
    const { defineProperty } = Object;
    const call = (Class, name) => {
        const method = Class.prototype[name];
        return (object, ...rest) => apply(method, object, rest);
    };
    const TypeErrorClass = TypeError;
    const { fromCharCode } = String;
    const { floor } = Math;
    const { parseInt, isNaN } = globalThis;
    const charCodeAt = call(String, 'charCodeAt');
    const codePointAt = call(String, 'codePointAt');
    const slice = call(String, 'slice');
    const indexOf = call(String, 'indexOf');
    const lastIndexOf = call(String, 'lastIndexOf');
    const split = call(String, 'split');
    const replaceAll = call(String, 'replace');
    const toLowerCase = call(String, 'toLowerCase');
    const toUpperCase = call(String, 'toUpperCase');
    const toWellFormed = call(String, 'toWellFormed');
    const normalize = call(String, 'normalize');
    const numberText = call(Number, 'toString');
    const test = call(RegExp, 'test');
    const join = call(Array, 'join');
    const push = call(Array, 'push');
    const pop = call(Array, 'pop');
    const sort = call(Array, 'sort');
    const splice = call(Array, 'splice');
    const Bytes = Uint8Array;

    // --- Percent-encoding ------------------------------------------------------------------------

    const set = (text, base) => {
        const members = base ? { __proto__: null, ...base } : { __proto__: null };
        for (let i = 0; i < text.length; i++)
            members[text[i]] = true;
        return members;
    };
    const fragmentSet = set(' "<>`');
    const querySet = set(' "#<>');
    const specialQuerySet = set("'", querySet);
    const pathSet = set('?^`{}', querySet);
    const userSet = set('/:;=@[\\]|', pathSet);

    const hex = (byte) => `%${byte < 16 ? '0' : ''}${toUpperCase(numberText(byte, 16))}`;

    const encode = (text, reserved) => {
        let out = '';
        for (let i = 0; i < text.length; i++) {
            const code = charCodeAt(text, i);
            if (code > 0x20 && code < 0x7f && !reserved[text[i]]) {
                out += text[i];
                continue;
            }
            let part = text[i];
            if (code >= 0xd800 && code < 0xdc00 && i + 1 < text.length)
                part += text[++i];
            if (code === 0x20 && !reserved[' ']) {
                out += ' ';
                continue;
            }
            const bytes = utf8(part);
            for (let j = 0; j < bytes.length; j++)
                out += hex(bytes[j]);
        }
        return out;
    };

    const isHex = /^[0-9A-Fa-f]{2}$/;
    const decode = (text) => {
        if (indexOf(text, '%') < 0)
            return text;
        const bytes = utf8(text);
        const out = new Bytes(bytes.length);
        let length = 0;
        for (let i = 0; i < bytes.length; i++) {
            const pair = bytes[i] === 0x25 && i + 2 < bytes.length
                ? fromCharCode(bytes[i + 1], bytes[i + 2]) : '';
            if (test(isHex, pair)) {
                out[length++] = parseInt(pair, 16);
                i += 2;
            } else {
                out[length++] = bytes[i];
            }
        }
        return fromUtf8(subarray(out, 0, length));
    };
    const subarray = call(Bytes, 'subarray');

    // --- Hosts -----------------------------------------------------------------------------------

    const adapt = (delta, count, first) => {
        delta = first ? floor(delta / 700) : delta >> 1;
        delta += floor(delta / count);
        let k = 0;
        for (; delta > 455; k += 36)
            delta = floor(delta / 35);
        return k + floor(36 * delta / (delta + 38));
    };

    // RFC 3492.
    const punycode = (label) => {
        const points = [];
        let out = '';
        for (let i = 0; i < label.length; i++) {
            const point = codePointAt(label, i);
            push(points, point);
            if (point < 0x80)
                out += fromCharCode(point);
            if (point > 0xffff)
                i++;
        }
        let n = 128;
        let delta = 0;
        let bias = 72;
        let done = out.length;
        const basic = done;
        if (basic > 0)
            out += '-';
        while (done < points.length) {
            let next = 0x10ffff;
            for (let i = 0; i < points.length; i++)
                if (points[i] >= n && points[i] < next)
                    next = points[i];
            delta += (next - n) * (done + 1);
            n = next;
            for (let i = 0; i < points.length; i++) {
                if (points[i] < n)
                    delta++;
                if (points[i] !== n)
                    continue;
                let q = delta;
                for (let k = 36; ; k += 36) {
                    const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
                    if (q < t)
                        break;
                    const digit = t + (q - t) % (36 - t);
                    out += fromCharCode(digit < 26 ? digit + 97 : digit + 22);
                    q = floor((q - t) / (36 - t));
                }
                out += fromCharCode(q < 26 ? q + 97 : q + 22);
                bias = adapt(delta, done + 1, done === basic);
                delta = 0;
                done++;
            }
            delta++;
            n++;
        }
        return `xn--${out}`;
    };

    const notAscii = /[^\x00-\x7f]/;
    const forbidden = /[\x00-\x20"#%/:<>?@[\\\]^`{|}\x7f]/;
    const forbiddenOpaque = /[\x00\t\n\r #/:<>?@[\\\]^|]/;
    const ideographicDots = /[\u3002\uff0e\uff61]/g;
    const softHyphens = /[\u00ad\u200b\u2060\ufeff]/g;

    const toAscii = (text) => {
        if (!test(notAscii, text))
            return toLowerCase(text);
        text = replaceAll(replaceAll(text, ideographicDots, '.'), softHyphens, '');
        const labels = split(normalize(toLowerCase(normalize(text, 'NFKC')), 'NFC'), '.');
        for (let i = 0; i < labels.length; i++)
            if (test(notAscii, labels[i]))
                labels[i] = punycode(labels[i]);
        return join(labels, '.');
    };

    const octal = /^0[0-7]*$/;
    const decimal = /^[1-9]\d*$/;
    const hexadecimal = /^0[xX][0-9A-Fa-f]*$/;
    const ipv4Part = (part) => test(hexadecimal, part) ? (part.length === 2 ? 0 : parseInt(part, 16))
        : test(octal, part) ? parseInt(part, 8) : test(decimal, part) ? parseInt(part, 10) : NaN;
    const digits = /^\d+$/;

    // An address, null if the host is none, undefined if it is a wrong one.
    const ipv4 = (text) => {
        const parts = split(text, '.');
        if (parts.length > 1 && parts[parts.length - 1] === '')
            pop(parts);
        const last = parts[parts.length - 1];
        if (!test(digits, last) && !test(hexadecimal, last))
            return null;
        if (parts.length > 4)
            return undefined;
        let address = 0;
        for (let i = 0; i < parts.length; i++) {
            const value = ipv4Part(parts[i]);
            if (isNaN(value))
                return undefined;
            if (i < parts.length - 1) {
                if (value > 255)
                    return undefined;
                address += value * 256 ** (3 - i);
            } else {
                if (value >= 256 ** (5 - parts.length))
                    return undefined;
                address += value;
            }
        }
        return `${floor(address / 16777216)}.${floor(address / 65536) % 256}.${
            floor(address / 256) % 256}.${address % 256}`;
    };

    const group = /^[0-9A-Fa-f]{1,4}$/;
    const ipv6 = (text) => {
        const halves = split(text, '::');
        if (halves.length > 2)
            return undefined;
        const groups = [];
        let gap = -1;
        for (let h = 0; h < halves.length; h++) {
            if (h === 1)
                gap = groups.length;
            if (halves[h] === '')
                continue;
            const parts = split(halves[h], ':');
            for (let i = 0; i < parts.length; i++) {
                const part = parts[i];
                if (h === halves.length - 1 && i === parts.length - 1 && indexOf(part, '.') >= 0) {
                    const quad = split(part, '.');
                    if (quad.length !== 4)
                        return undefined;
                    for (let q = 0; q < 4; q++)
                        if (!test(digits, quad[q]) || quad[q] > 255 || (quad[q][0] === '0' && quad[q] !== '0'))
                            return undefined;
                    push(groups, quad[0] * 256 + +quad[1], quad[2] * 256 + +quad[3]);
                } else if (test(group, part)) {
                    push(groups, parseInt(part, 16));
                } else {
                    return undefined;
                }
            }
        }
        if (gap < 0 ? groups.length !== 8 : groups.length > 7)
            return undefined;
        while (groups.length < 8)
            splice(groups, gap, 0, 0);
        // The longest run of zeros, of two at least, is left out.
        let best = -1;
        let bestLength = 1;
        for (let i = 0; i < 8; i++) {
            let length = 0;
            while (i + length < 8 && groups[i + length] === 0)
                length++;
            if (length > bestLength) {
                best = i;
                bestLength = length;
            }
            if (length > 0)
                i += length - 1;
        }
        let out = '';
        for (let i = 0; i < 8; i++) {
            if (i === best) {
                out += i === 0 ? '::' : ':';
                i += bestLength - 1;
                continue;
            }
            out += numberText(groups[i], 16);
            if (i < 7)
                out += ':';
        }
        return `[${out}]`;
    };

    // undefined: it is none.
    const parseHost = (text, special) => {
        if (text[0] === '[')
            return text[text.length - 1] === ']' ? ipv6(slice(text, 1, -1)) : undefined;
        if (!special)
            return test(forbiddenOpaque, text) ? undefined : encode(text, {});
        const ascii = toAscii(decode(text));
        if (ascii === '' || test(forbidden, ascii))
            return undefined;
        const address = ipv4(ascii);
        return address === null ? ascii : address;
    };

    // --- Parsing ---------------------------------------------------------------------------------

    const ports = { __proto__: null, 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443', 'ftp:': '21', 'file:': '' };
    const isSpecial = (url) => ports[url.protocol] !== undefined;

    const schemeStart = /^[A-Za-z][A-Za-z0-9+.-]*:/;
    const controls = /^[\x00-\x20]+|[\x00-\x20]+$/g;
    const lineEnds = /[\t\n\r]/g;
    const drive = /^[A-Za-z][:|]$/;
    const driveStart = /^[A-Za-z][:|](?:[/\\?#]|$)/;
    const singleDot = /^(?:\.|%2e)$/i;
    const doubleDot = /^(?:\.|%2e)(?:\.|%2e)$/i;

    const setPort = (url, text) => {
        if (text === '') {
            url.port = '';
            return true;
        }
        if (!test(digits, text) || +text > 65535)
            return false;
        url.port = `${+text}` === ports[url.protocol] ? '' : `${+text}`;
        return true;
    };

    const setAuthority = (url, authority) => {
        const at = lastIndexOf(authority, '@');
        if (at >= 0) {
            const user = slice(authority, 0, at);
            const colon = indexOf(user, ':');
            url.username = encode(colon < 0 ? user : slice(user, 0, colon), userSet);
            url.password = colon < 0 ? '' : encode(slice(user, colon + 1), userSet);
        }
        const rest = slice(authority, at + 1);
        const bracket = lastIndexOf(rest, ']');
        const colon = indexOf(rest, ':', bracket < 0 ? 0 : bracket);
        const name = colon < 0 ? rest : slice(rest, 0, colon);
        if (name === '' && (isSpecial(url) || at >= 0 || colon >= 0))
            return false;
        url.host = parseHost(name, isSpecial(url));
        return (url.host !== undefined || name === '') && setPort(url, colon < 0 ? '' : slice(rest, colon + 1));
    };

    // Appends the segments of a path to url.path.
    const setPath = (url, text) => {
        const special = isSpecial(url);
        if (special)
            text = replaceAll(text, /\\/g, '/');
        if (text !== '' && text[0] === '/')
            text = slice(text, 1);
        const parts = split(text, '/');
        for (let i = 0; i < parts.length; i++) {
            const last = i === parts.length - 1;
            let part = parts[i];
            if (test(doubleDot, part)) {
                if (!(url.protocol === 'file:' && url.path.length === 1 && test(drive, url.path[0])))
                    pop(url.path);
                if (last)
                    push(url.path, '');
            } else if (test(singleDot, part)) {
                if (last)
                    push(url.path, '');
            } else {
                if (url.protocol === 'file:' && url.path.length === 0 && test(drive, part))
                    part = `${part[0]}:`;
                push(url.path, encode(part, pathSet));
            }
        }
    };

    const copyPath = (path) => {
        const copy = [];
        for (let i = 0; i < path.length; i++)
            push(copy, path[i]);
        return copy;
    };

    const setQuery = (url, text) => {
        url.query = text === null ? null : encode(text, isSpecial(url) ? specialQuerySet : querySet);
    };
    const setFragment = (url, text) => {
        url.fragment = text === null ? null : encode(text, fragmentSet);
    };

    // The record of a URL, or null.
    const parse = (input, base) => {
        let text = replaceAll(replaceAll(toWellFormed(input), controls, ''), lineEnds, '');
        const url = {
            protocol: '', username: '', password: '', host: undefined, port: '', path: [], opaque: null,
            query: null, fragment: null,
        };
        let fragment = null;
        const hash = indexOf(text, '#');
        if (hash >= 0) {
            fragment = slice(text, hash + 1);
            text = slice(text, 0, hash);
        }
        let query = null;
        let scheme = null;
        if (test(schemeStart, text)) {
            const colon = indexOf(text, ':');
            scheme = toLowerCase(slice(text, 0, colon + 1));
            text = slice(text, colon + 1);
        }
        const mark = indexOf(text, '?');
        if (mark >= 0) {
            query = slice(text, mark + 1);
            text = slice(text, 0, mark);
        }
        const relative = scheme === null
            || (base && ports[scheme] !== undefined && scheme === base.protocol && !test(/^[/\\]/, text)
                && base.opaque === null);
        url.protocol = scheme ?? base?.protocol ?? '';
        if (relative && !base)
            return null;
        const special = isSpecial(url);
        if (special)
            text = replaceAll(text, /\\/g, '/');
        const inherit = () => {
            url.username = base.username;
            url.password = base.password;
            url.host = base.host;
            url.port = base.port;
        };

        if (relative && base.opaque !== null) {
            if (text !== '' || query !== null || fragment === null)
                return null;
            url.opaque = base.opaque;
            url.query = base.query;
            setFragment(url, fragment);
            return url;
        }
        const twoSlashes = slice(text, 0, 2) === '//';
        if (url.protocol === 'file:') {
            url.host = '';
            const fromFile = base && base.protocol === 'file:';
            if (twoSlashes) {
                const end = indexOf(text, '/', 2);
                const name = slice(text, 2, end < 0 ? text.length : end);
                if (test(drive, name)) {
                    setPath(url, slice(text, 2));
                } else {
                    if (name !== '') {
                        url.host = parseHost(name, true);
                        if (url.host === undefined)
                            return null;
                        if (url.host === 'localhost')
                            url.host = '';
                    }
                    setPath(url, end < 0 ? '' : slice(text, end));
                }
            } else if (text[0] === '/') {
                if (fromFile) {
                    url.host = base.host;
                    if (base.path.length > 0 && test(drive, base.path[0]) && !test(driveStart, slice(text, 1)))
                        push(url.path, base.path[0]);
                }
                setPath(url, text);
            } else if (fromFile) {
                url.host = base.host;
                if (!test(driveStart, text)) {
                    url.path = copyPath(base.path);
                    if (text === '' && query === null)
                        query = undefined;
                    if (text !== '')
                        pop(url.path);
                }
                if (text !== '')
                    setPath(url, text);
            } else {
                setPath(url, text);
            }
            if (query === undefined)
                url.query = base.query;
            else
                setQuery(url, query);
            setFragment(url, fragment);
            return url;
        }
        if (relative && !twoSlashes) {
            inherit();
            if (text === '') {
                url.path = copyPath(base.path);
                if (query === null)
                    url.query = base.query;
            } else {
                if (text[0] !== '/') {
                    url.path = copyPath(base.path);
                    pop(url.path);
                }
                setPath(url, text);
            }
            if (query !== null)
                setQuery(url, query);
            setFragment(url, fragment);
            return url;
        }
        if (special || twoSlashes) {
            if (special) {
                text = replaceAll(text, /^\/*/, '');
            } else {
                text = slice(text, 2);
            }
            const end = indexOf(text, '/');
            if (!setAuthority(url, end < 0 ? text : slice(text, 0, end)))
                return null;
            url.host ??= '';
            if (end >= 0 || special)
                setPath(url, end < 0 ? '' : slice(text, end));
        } else if (text[0] === '/') {
            setPath(url, text);
        } else {
            url.opaque = encode(text, set(''));
        }
        setQuery(url, query);
        setFragment(url, fragment);
        return url;
    };

    const hostText = (url) => url.host === undefined ? '' : url.port === '' ? url.host : `${url.host}:${url.port}`;
    const pathText = (url) => url.opaque !== null ? url.opaque
        : url.path.length === 0 ? '' : `/${join(url.path, '/')}`;
    const serialize = (url) => {
        let out = url.protocol;
        if (url.host !== undefined) {
            out += '//';
            if (url.username !== '' || url.password !== '')
                out += `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
            out += hostText(url);
        } else if (url.opaque === null && url.path.length > 1 && url.path[0] === '') {
            out += '/.';
        }
        out += pathText(url);
        if (url.query !== null)
            out += `?${url.query}`;
        if (url.fragment !== null)
            out += `#${url.fragment}`;
        return out;
    };

    // --- URLSearchParams -------------------------------------------------------------------------

    const formSafe = /^[A-Za-z0-9*\-._]$/;
    const formEncode = (text) => {
        const bytes = utf8(toWellFormed(text));
        let out = '';
        for (let i = 0; i < bytes.length; i++) {
            const character = fromCharCode(bytes[i]);
            out += bytes[i] === 0x20 ? '+' : test(formSafe, character) ? character : hex(bytes[i]);
        }
        return out;
    };
    const pluses = /\+/g;
    const formDecode = (text) => decode(replaceAll(text, pluses, ' '));
    const parsePairs = (text) => {
        const list = [];
        const parts = split(text, '&');
        for (let i = 0; i < parts.length; i++) {
            if (parts[i] === '')
                continue;
            const equals = indexOf(parts[i], '=');
            push(list, equals < 0 ? [formDecode(parts[i]), '']
                : [formDecode(slice(parts[i], 0, equals)), formDecode(slice(parts[i], equals + 1))]);
        }
        return list;
    };
    const listText = (list) => {
        let out = '';
        for (let i = 0; i < list.length; i++)
            out += `${i > 0 ? '&' : ''}${formEncode(list[i][0])}=${formEncode(list[i][1])}`;
        return out;
    };

    let connect;
    let listOf;
    class URLSearchParams {
        #list = [];
        #changed = () => {};
        static {
            connect = (params, list, changed) => {
                params.#list = list;
                params.#changed = changed;
            };
            listOf = (params) => params.#list;
        }
        constructor(init = '') {
            if (init === null || (typeof init !== 'object' && typeof init !== 'function')) {
                const text = `${init}`;
                this.#list = parsePairs(text[0] === '?' ? slice(text, 1) : text);
            } else if (init[Symbol.iterator] != null) {
                for (const pair of init) {
                    const [name, value, ...more] = pair;
                    if (more.length > 0 || pair.length === 1)
                        throw new TypeErrorClass('URLSearchParams: each pair must have a name and a value');
                    push(this.#list, [`${name}`, `${value}`]);
                }
            } else {
                for (const name of Object.keys(init))
                    push(this.#list, [name, `${init[name]}`]);
            }
        }
        get size() {
            return this.#list.length;
        }
        append(name, value) {
            push(this.#list, [`${name}`, `${value}`]);
            this.#changed();
        }
        delete(name, value = undefined) {
            name = `${name}`;
            for (let i = this.#list.length; i-- > 0;)
                if (this.#list[i][0] === name && (value === undefined || this.#list[i][1] === `${value}`))
                    splice(this.#list, i, 1);
            this.#changed();
        }
        get(name) {
            name = `${name}`;
            for (let i = 0; i < this.#list.length; i++)
                if (this.#list[i][0] === name)
                    return this.#list[i][1];
            return null;
        }
        getAll(name) {
            name = `${name}`;
            const values = [];
            for (let i = 0; i < this.#list.length; i++)
                if (this.#list[i][0] === name)
                    push(values, this.#list[i][1]);
            return values;
        }
        has(name, value = undefined) {
            name = `${name}`;
            for (let i = 0; i < this.#list.length; i++)
                if (this.#list[i][0] === name && (value === undefined || this.#list[i][1] === `${value}`))
                    return true;
            return false;
        }
        set(name, value) {
            name = `${name}`;
            let found = false;
            for (let i = 0; i < this.#list.length; i++) {
                if (this.#list[i][0] !== name)
                    continue;
                if (found) {
                    splice(this.#list, i--, 1);
                } else {
                    this.#list[i][1] = `${value}`;
                    found = true;
                }
            }
            if (!found)
                push(this.#list, [name, `${value}`]);
            this.#changed();
        }
        sort() {
            sort(this.#list, (a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);
            this.#changed();
        }
        toString() {
            return listText(this.#list);
        }
        forEach(callback, thisArg = undefined) {
            for (let i = 0; i < this.#list.length; i++)
                apply(callback, thisArg, [this.#list[i][1], this.#list[i][0], this]);
        }
        * entries() {
            for (let i = 0; i < this.#list.length; i++)
                yield [this.#list[i][0], this.#list[i][1]];
        }
        * keys() {
            for (let i = 0; i < this.#list.length; i++)
                yield this.#list[i][0];
        }
        * values() {
            for (let i = 0; i < this.#list.length; i++)
                yield this.#list[i][1];
        }
    }
    hidden(URLSearchParams.prototype, Symbol.iterator, URLSearchParams.prototype.entries);

    // --- URL -------------------------------------------------------------------------------------

    class URL {
        #url;
        #params = null;
        constructor(url, base = undefined) {
            let record = null;
            if (base !== undefined) {
                record = parse(`${base}`, null);
                if (record === null)
                    throw new TypeErrorClass(`Invalid base URL: ${base}`);
            }
            this.#url = parse(`${url}`, record);
            if (this.#url === null)
                throw new TypeErrorClass(`Invalid URL: ${url}`);
        }
        static canParse(url, base = undefined) {
            const record = base === undefined ? null : parse(`${base}`, null);
            return (base === undefined || record !== null) && parse(`${url}`, record) !== null;
        }
        static parse(url, base = undefined) {
            return URL.canParse(url, base) ? new URL(url, base) : null;
        }
        get href() {
            return serialize(this.#url);
        }
        set href(text) {
            const url = parse(`${text}`, null);
            if (url === null)
                throw new TypeErrorClass(`Invalid URL: ${text}`);
            this.#url = url;
            this.#refresh();
        }
        get origin() {
            const { protocol } = this.#url;
            if (protocol === 'blob:') {
                const inner = parse(pathText(this.#url), null);
                return inner !== null && (inner.protocol === 'http:' || inner.protocol === 'https:')
                    ? `${inner.protocol}//${hostText(inner)}` : 'null';
            }
            if (protocol === 'file:' || ports[protocol] === undefined)
                return 'null';
            return `${protocol}//${hostText(this.#url)}`;
        }
        get protocol() {
            return this.#url.protocol;
        }
        set protocol(text) {
            const colon = `${text}:`;
            const scheme = toLowerCase(slice(colon, 0, indexOf(colon, ':') + 1));
            if (!test(schemeStart, scheme) || (ports[scheme] === undefined) === isSpecial(this.#url))
                return;
            this.#url.protocol = scheme;
            if (this.#url.port === ports[scheme])
                this.#url.port = '';
        }
        get username() {
            return this.#url.username;
        }
        set username(text) {
            if (this.#url.host)
                this.#url.username = encode(toWellFormed(`${text}`), userSet);
        }
        get password() {
            return this.#url.password;
        }
        set password(text) {
            if (this.#url.host)
                this.#url.password = encode(toWellFormed(`${text}`), userSet);
        }
        get host() {
            return hostText(this.#url);
        }
        set host(text) {
            this.#setHost(`${text}`, true);
        }
        get hostname() {
            return this.#url.host ?? '';
        }
        set hostname(text) {
            this.#setHost(`${text}`, false);
        }
        #setHost(text, withPort) {
            if (this.#url.opaque !== null)
                return;
            const end = text.search(isSpecial(this.#url) ? /[/\\?#]/ : /[/?#]/);
            if (end >= 0)
                text = slice(text, 0, end);
            const bracket = lastIndexOf(text, ']');
            const colon = indexOf(text, ':', bracket < 0 ? 0 : bracket);
            if (colon >= 0 && !withPort)
                return;
            const name = parseHost(colon < 0 ? text : slice(text, 0, colon), isSpecial(this.#url));
            if (name === undefined)
                return;
            this.#url.host = name;
            if (colon >= 0 && colon + 1 < text.length)
                setPort(this.#url, slice(text, colon + 1));
        }
        get port() {
            return this.#url.port;
        }
        set port(text) {
            const match = /^\d*/.exec(`${text}`)[0];
            if (this.#url.host && this.#url.protocol !== 'file:' && (match !== '' || `${text}` === ''))
                setPort(this.#url, match);
        }
        get pathname() {
            return pathText(this.#url);
        }
        set pathname(text) {
            if (this.#url.opaque !== null)
                return;
            this.#url.path = [];
            setPath(this.#url, replaceAll(replaceAll(toWellFormed(`${text}`), /\?/g, '%3F'), /#/g, '%23'));
        }
        get search() {
            return this.#url.query === null || this.#url.query === '' ? '' : `?${this.#url.query}`;
        }
        set search(text) {
            text = toWellFormed(`${text}`);
            setQuery(this.#url, text === '' ? null
                : replaceAll(text[0] === '?' ? slice(text, 1) : text, /#/g, '%23'));
            this.#refresh();
        }
        get searchParams() {
            if (this.#params === null) {
                this.#params = new URLSearchParams('');
                this.#refresh();
            }
            return this.#params;
        }
        #refresh() {
            if (this.#params === null)
                return;
            connect(this.#params, parsePairs(this.#url.query ?? ''), () => {
                const text = listText(listOf(this.#params));
                this.#url.query = text === '' ? null : text;
            });
        }
        get hash() {
            return this.#url.fragment === null || this.#url.fragment === '' ? '' : `#${this.#url.fragment}`;
        }
        set hash(text) {
            text = toWellFormed(`${text}`);
            setFragment(this.#url, text === '' ? null : text[0] === '#' ? slice(text, 1) : text);
        }
        toString() {
            return serialize(this.#url);
        }
        toJSON() {
            return serialize(this.#url);
        }
    }

    for (const Class of [URL, URLSearchParams]) {
        defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
        hidden(globalThis, Class.name, Class);
    }
})
