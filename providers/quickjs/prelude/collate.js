// String.prototype.localeCompare and Intl.Collator: the order of text that people expect, whatever the
// locale. It is that of Unicode's root collation for Latin letters; letters of other scripts stand in
// the order of their code points.
(function (host) {
    const { apply } = Reflect;
    const { normalize, codePointAt, charCodeAt, toLowerCase, slice } = String.prototype;
    const { fromCodePoint } = String;
    const { exec } = RegExp.prototype;
    const TypeErrorClass = TypeError;
    const RangeErrorClass = RangeError;
    const text = String;
    const { hidden } = host;
    const matches = (pattern, string) => apply(exec, pattern, [string]) !== null;

    // What differs first decides: the letters, then their accents, then their case.
    const LEVELS = {
        __proto__: null, base: [false, false], accent: [true, false], case: [false, true],
        variant: [true, true],
    };

    // --- Weights ---------------------------------------------------------------------------------

    const SYMBOLS = 0x120000;
    const CURRENCIES = 0x180000;
    const DIGITS = 0x200000;
    const LETTERS = 0x210000;
    const OTHERS = 0x220000;
    const ascii = [];
    for (let i = 0; i < 128; i++)
        ascii[i] = i;
    ' _-,;:!?.\'"()[]{}@*/\\&#%'.split('').forEach((c, i) => ascii[c.charCodeAt(0)] = 128 + i);
    '`^+<=>|~'.split('').forEach((c, i) => ascii[c.charCodeAt(0)] = SYMBOLS + i);
    ascii[36] = CURRENCIES; // $
    for (let i = 0; i < 10; i++)
        ascii[48 + i] = DIGITS + i;
    for (let i = 0; i < 26; i++)
        ascii[65 + i] = ascii[97 + i] = LETTERS + 2 * i;

    // Letters that do not decompose: as others with a mark, or just behind another.
    const STROKE = '\u0338';
    const expansions = {
        __proto__: null, 'ß': `ss${STROKE}`, 'ẞ': `SS${STROKE}`, 'æ': `ae${STROKE}`, 'Æ': `AE${STROKE}`,
        'œ': `oe${STROKE}`, 'Œ': `OE${STROKE}`, 'ø': `o${STROKE}`, 'Ø': `O${STROKE}`, 'ð': `d${STROKE}`,
        'Ð': `D${STROKE}`, 'đ': `d${STROKE}`, 'Đ': `D${STROKE}`, 'ħ': `h${STROKE}`, 'Ħ': `H${STROKE}`,
        'ł': `l${STROKE}`, 'Ł': `L${STROKE}`,
    };
    const behind = {
        __proto__: null, 'ı': 'i', 'ĸ': 'q', 'ŋ': 'n', 'ŧ': 't', 'þ': 'z',
    };
    const currency = /\p{Sc}/u;
    const symbol = /\p{S}/u;
    const noLetter = /[\p{P}\p{Z}\p{C}]/u;

    const weight = (code) => {
        if (code < 128)
            return ascii[code];
        const lower = apply(toLowerCase, fromCodePoint(code), []);
        if (behind[lower] !== undefined)
            return ascii[apply(charCodeAt, behind[lower], [0])] + 1;
        if (matches(currency, lower))
            return CURRENCIES + code;
        if (matches(symbol, lower))
            return SYMBOLS + 128 + code;
        if (matches(noLetter, lower))
            return 128 + code;
        const lowerCode = apply(codePointAt, lower, [0]);
        const isKatakana = lowerCode >= 0x30a1 && lowerCode <= 0x30f6;
        return OTHERS + (isKatakana ? lowerCode - 0x60 : lowerCode);
    };

    // --- Comparison ------------------------------------------------------------------------------

    const beyondAscii = /[^\0-\x7f]/;
    const prepared = (string) => {
        if (!matches(beyondAscii, string))
            return string;
        const decomposed = apply(normalize, string, ['NFD']);
        let result = '';
        for (let i = 0; i < decomposed.length; i++)
            result += expansions[decomposed[i]] ?? decomposed[i];
        return result;
    };

    const isMark = (code) => code >= 0x300 && code <= 0x36f;
    const isDigit = (code) => code >= 48 && code <= 57;
    const endOf = (string, from, belongs) => {
        let end = from;
        while (end < string.length && belongs(apply(charCodeAt, string, [end])))
            end++;
        return end;
    };
    const sign = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    const compareDigits = (a, b) => {
        let i = 0;
        let j = 0;
        while (i < a.length - 1 && a[i] === '0')
            i++;
        while (j < b.length - 1 && b[j] === '0')
            j++;
        return sign(a.length - i, b.length - j) || sign(apply(slice, a, [i]), apply(slice, b, [j]));
    };
    const isLower = (code) => {
        const character = fromCodePoint(code);
        return apply(toLowerCase, character, []) === character;
    };

    const compare = (first, second, settings) => {
        const a = prepared(first);
        const b = prepared(second);
        let i = 0;
        let j = 0;
        let accents = 0;
        let cases = 0;
        for (;;) {
            const endA = endOf(a, i, isMark);
            const endB = endOf(b, j, isMark);
            if (accents === 0 && (endA > i || endB > j))
                accents = sign(apply(slice, a, [i, endA]), apply(slice, b, [j, endB]));
            i = endA;
            j = endB;
            if (i >= a.length || j >= b.length)
                break;
            const codeA = apply(codePointAt, a, [i]);
            const codeB = apply(codePointAt, b, [j]);
            if (settings.numeric && isDigit(codeA) && isDigit(codeB)) {
                const numberA = endOf(a, i, isDigit);
                const numberB = endOf(b, j, isDigit);
                const order = compareDigits(apply(slice, a, [i, numberA]), apply(slice, b, [j, numberB]));
                if (order !== 0)
                    return order;
                i = numberA;
                j = numberB;
                continue;
            }
            if (codeA !== codeB) {
                const order = sign(weight(codeA), weight(codeB));
                if (order !== 0)
                    return order;
                if (cases === 0) {
                    const lowerA = isLower(codeA);
                    cases = lowerA === isLower(codeB) ? sign(codeA, codeB)
                        : lowerA !== settings.upperFirst ? -1 : 1;
                }
            }
            i += codeA > 0xffff ? 2 : 1;
            j += codeB > 0xffff ? 2 : 1;
        }
        const rest = sign(a.length - i, b.length - j);
        if (rest !== 0)
            return rest;
        return (settings.accents && accents) || (settings.cases && cases) || 0;
    };

    const usual = {
        __proto__: null, numeric: false, upperFirst: false, accents: true, cases: true,
        sensitivity: 'variant',
    };
    const settingsOf = (options) => {
        if (options === undefined)
            return usual;
        if (options === null)
            throw new TypeErrorClass('Intl: the options of a collator must be an object');
        const numeric = !!options.numeric;
        const upperFirst = options.caseFirst === 'upper';
        const sensitivity = text(options.sensitivity ?? 'variant');
        const levels = LEVELS[sensitivity];
        if (levels === undefined)
            throw new RangeErrorClass(`Intl: sensitivity ${sensitivity} is not supported here`);
        return { __proto__: null, numeric, upperFirst, accents: levels[0], cases: levels[1], sensitivity };
    };

    // --- What programs find ----------------------------------------------------------------------

    hidden(String.prototype, 'localeCompare', {
        localeCompare(that, ...rest) {
            if (this === undefined || this === null)
                throw new TypeErrorClass('String.prototype.localeCompare called on null or undefined');
            return compare(`${this}`, `${that}`, settingsOf(rest[1]));
        },
    }.localeCompare);

    hidden(Intl, 'Collator', class Collator {
        #settings;
        #compare;
        constructor(locales = undefined, options = undefined) {
            this.#settings = settingsOf(options);
        }
        get compare() {
            const settings = this.#settings;
            return this.#compare ??= (a, b) => compare(`${a}`, `${b}`, settings);
        }
        resolvedOptions() {
            const { numeric, sensitivity, upperFirst } = this.#settings;
            return {
                locale: 'en-US', usage: 'sort', sensitivity, ignorePunctuation: false,
                collation: 'default', numeric, caseFirst: upperFirst ? 'upper' : 'false',
            };
        }
    });
})
