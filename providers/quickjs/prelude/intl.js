// Intl.NumberFormat and Intl.DateTimeFormat, and the toLocale... methods that stand on them: en-US, en-GB
// and de-DE, the options that reports use, and the time zone UTC. Anything else is a RangeError that
// says so; nothing is formatted in another way than was asked for.
(function (host) {
    const { hidden } = host;
    const { apply } = Reflect;
    const { defineProperty } = Object;
    const call = (Class, name) => {
        const method = Class.prototype[name];
        return (object, ...rest) => apply(method, object, rest);
    };
    const RangeErrorClass = RangeError;
    const TypeErrorClass = TypeError;
    const { floor, abs, max, min } = Math;
    const toNumber = Number;
    const { isArray } = Array;
    const slice = call(String, 'slice');
    const indexOf = call(String, 'indexOf');
    const repeat = call(String, 'repeat');
    const padStart = call(String, 'padStart');
    const padEnd = call(String, 'padEnd');
    const toUpperCase = call(String, 'toUpperCase');
    const numberValue = call(Number, 'valueOf');
    const bigintValue = call(BigInt, 'valueOf');
    const dateValue = call(Date, 'getTime');
    const toExponential = call(Number, 'toExponential');
    const test = call(RegExp, 'test');
    const push = call(Array, 'push');
    const join = call(Array, 'join');
    const includes = call(Array, 'includes');
    const DateClass = Date;
    const now = Date.now;
    const part = {};
    for (const name of ['Day', 'Date', 'Month', 'FullYear', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'])
        part[name] = call(Date, `getUTC${name}`);

    const unsupported = (what) => {
        throw new RangeErrorClass(`Intl: ${what} is not supported here`);
    };

    const known = { __proto__: null, 'en-US': 'en-US', en: 'en-US', 'en-GB': 'en-GB', 'de-DE': 'de-DE', de: 'de-DE' };
    const localeOf = (locales) => {
        if (locales === undefined)
            return 'en-US';
        const list = isArray(locales) ? locales : [locales];
        if (list.length === 0)
            return 'en-US';
        for (let i = 0; i < list.length; i++) {
            if (typeof list[i] !== 'string' && (typeof list[i] !== 'object' || list[i] === null))
                throw new TypeErrorClass('Intl: a locale must be a string');
            const locale = known[`${list[i]}`];
            if (locale !== undefined)
                return locale;
        }
        return unsupported(`the locale ${list[0]} (en-US, en-GB and de-DE are)`);
    };

    const choose = (options, name, values, usual) => {
        const value = options[name];
        if (value === undefined)
            return usual;
        if (!includes(values, `${value}`))
            unsupported(`${name}: ${value}`);
        return `${value}`;
    };

    const integer = (options, name, low, high, usual) => {
        const value = options[name];
        if (value === undefined)
            return usual;
        const number = toNumber(value);
        if (!(number >= low && number <= high))
            throw new RangeErrorClass(`${name} value is out of range.`);
        return floor(number);
    };

    const refuse = (options, names) => {
        for (let i = 0; i < names.length; i++)
            if (options[names[i]] !== undefined)
                unsupported(`the option ${names[i]}`);
    };

    // --- Numbers ---------------------------------------------------------------------------------

    const NBSP = '\u00a0';
    const symbols = {
        __proto__: null,
        'en-US': { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CNY: 'CN¥', KRW: '₩', CAD: 'CA$', AUD: 'A$',
            NZD: 'NZ$', MXN: 'MX$', BRL: 'R$', HKD: 'HK$', TWD: 'NT$', ILS: '₪', VND: '₫', PHP: '₱' },
        'en-GB': { USD: 'US$', EUR: '€', GBP: '£', JPY: 'JP¥', INR: '₹', CNY: 'CN¥', KRW: '₩', CAD: 'CA$', AUD: 'A$',
            NZD: 'NZ$', MXN: 'MX$', BRL: 'R$', HKD: 'HK$', TWD: 'NT$', ILS: '₪', VND: '₫', PHP: '₱' },
        'de-DE': { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CNY: 'CN¥', KRW: '₩', CAD: 'CA$', AUD: 'AU$',
            NZD: 'NZ$', MXN: 'MX$', BRL: 'R$', HKD: 'HK$', TWD: 'NT$', ILS: '₪', VND: '₫', PHP: '₱' },
    };
    const wholeCurrencies = ['JPY', 'KRW', 'VND', 'CLP', 'ISK', 'XAF', 'XOF', 'PYG', 'UGX'];

    // The digits of a finite number that is not negative: [digits, how many stand before the point].
    const decimalOf = (value) => {
        if (typeof value === 'bigint') {
            const digits = `${value}`;
            return [digits, digits.length];
        }
        if (value === 0)
            return ['0', 1];
        const text = toExponential(value);
        const e = indexOf(text, 'e');
        const mantissa = slice(text, 0, e);
        const digits = mantissa.length > 1 ? mantissa[0] + slice(mantissa, 2) : mantissa;
        return [digits, +slice(text, e + 1) + 1];
    };

    // Rounds half away from zero to `kept` digits, which may be none.
    const round = ([digits, point], kept) => {
        if (kept >= digits.length)
            return [digits, point];
        if (kept < 0)
            return ['0', 1];
        const up = digits[kept] >= '5';
        let head = slice(digits, 0, kept);
        if (!up)
            return head === '' ? ['0', 1] : [head, point];
        let i = kept - 1;
        while (i >= 0 && head[i] === '9')
            i--;
        if (i < 0)
            return ['1', point + 1];
        head = slice(head, 0, i) + (+head[i] + 1);
        return [head, point];
    };

    const group = (text, separator) => {
        let out = '';
        for (let i = 0; i < text.length; i++) {
            if (i > 0 && (text.length - i) % 3 === 0)
                out += separator;
            out += text[i];
        }
        return out;
    };

    const plain = (settings, value) => {
        const { locale } = settings;
        let decimal = decimalOf(value);
        let least = settings.minimumFractionDigits;
        if (settings.maximumSignificantDigits !== undefined) {
            decimal = round(decimal, settings.maximumSignificantDigits);
            least = max(0, (settings.minimumSignificantDigits ?? 1) - decimal[1]);
        } else {
            decimal = round(decimal, decimal[1] + settings.maximumFractionDigits);
        }
        let [digits, point] = decimal;
        if (point < 1) {
            digits = repeat('0', 1 - point) + digits;
            point = 1;
        }
        let whole = padEnd(slice(digits, 0, point), point, '0');
        let fraction = slice(digits, point);
        while (fraction.length > least && fraction[fraction.length - 1] === '0')
            fraction = slice(fraction, 0, -1);
        fraction = padEnd(fraction, least, '0');
        whole = padStart(whole, settings.minimumIntegerDigits, '0');
        if (settings.useGrouping)
            whole = group(whole, locale === 'de-DE' ? '.' : ',');
        return fraction === '' ? whole : `${whole}${locale === 'de-DE' ? ',' : '.'}${fraction}`;
    };

    const compactSteps = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'K']];
    const compact = (settings, value) => {
        value = toNumber(value);
        for (let i = 0; i < compactSteps.length; i++) {
            const [size, letter] = compactSteps[i];
            if (value < size && !(i < 3 && value >= size * 0.9995))
                if (!(value >= size))
                    continue;
            const scaled = value / size;
            return plain({ ...settings, maximumSignificantDigits: undefined,
                maximumFractionDigits: scaled < 99.5 && settings.isUsual ? (scaled < 9.95 ? 1 : 0)
                    : settings.isUsual ? 0 : settings.maximumFractionDigits }, scaled) + letter;
        }
        return plain({ ...settings, maximumFractionDigits: settings.isUsual ? (value < 9.95 ? 1 : 0)
            : settings.maximumFractionDigits }, value);
    };

    const numberText = (settings, input) => {
        const { locale, style } = settings;
        let value = typeof input === 'bigint' ? input : toNumber(input);
        let negative = value < 0 || (value === 0 && typeof value === 'number' && 1 / value < 0);
        if (negative)
            value = -value;
        let text;
        if (value !== value)
            text = 'NaN';
        else if (value === Infinity)
            text = '∞';
        else if (style === 'percent' && typeof value === 'number')
            text = plain(settings, +`${toExponential(value).replace(/e(.*)/, (_, e) => `e${+e + 2}`)}`);
        else
            text = settings.notation === 'compact' ? compact(settings, value) : plain(settings, value);
        const isZero = !test(/[1-9∞]/, text);
        const { signDisplay } = settings;
        let sign = negative ? '-' : '';
        if (signDisplay === 'never' || ((signDisplay === 'exceptZero' || signDisplay === 'negative') && isZero))
            sign = '';
        else if ((signDisplay === 'always' || signDisplay === 'exceptZero') && !negative
            && (value === value || signDisplay === 'always'))
            sign = '+';
        if (style === 'percent')
            return `${sign}${text}${locale === 'de-DE' ? NBSP : ''}%`;
        if (style !== 'currency')
            return sign + text;
        const { currency, currencyDisplay } = settings;
        let symbol = currencyDisplay === 'code' ? currency
            : currencyDisplay === 'narrowSymbol' ? symbols['en-US'][currency] ?? currency
                : symbols[locale][currency] ?? currency;
        if (currencyDisplay === 'narrowSymbol' && symbol.length > 1 && symbol !== currency)
            symbol = symbol[symbol.length - 1];
        if (locale === 'de-DE')
            return `${sign}${text}${NBSP}${symbol}`;
        return `${sign}${symbol}${test(/[A-Za-z]$/, symbol) ? NBSP : ''}${text}`;
    };

    const numberSettings = (locales, options) => {
        options = options === undefined ? {} : Object(options);
        refuse(options, ['unit', 'unitDisplay', 'roundingIncrement', 'roundingMode', 'numberingSystem']);
        const settings = {
            locale: localeOf(locales),
            style: choose(options, 'style', ['decimal', 'currency', 'percent'], 'decimal'),
            currency: undefined, currencyDisplay: undefined,
            notation: choose(options, 'notation', ['standard', 'compact'], 'standard'),
            signDisplay: choose(options, 'signDisplay', ['auto', 'always', 'never', 'exceptZero', 'negative'], 'auto'),
            minimumIntegerDigits: integer(options, 'minimumIntegerDigits', 1, 21, 1),
        };
        choose(options, 'compactDisplay', ['short'], 'short');
        choose(options, 'currencySign', ['standard'], 'standard');
        settings.useGrouping = options.useGrouping === undefined || !!options.useGrouping
            && `${options.useGrouping}` !== 'false';
        if (options.useGrouping === 'min2')
            unsupported('useGrouping: min2');
        if (settings.notation === 'compact' && settings.locale === 'de-DE')
            unsupported('notation: compact in de-DE');
        let usual = [0, 3];
        if (settings.style === 'percent')
            usual = [0, 0];
        if (settings.style === 'currency') {
            if (options.currency === undefined)
                throw new TypeErrorClass('Currency code is required with currency style.');
            settings.currency = toUpperCase(`${options.currency}`);
            if (!test(/^[A-Z]{3}$/, settings.currency))
                throw new RangeErrorClass(`Invalid currency code : ${options.currency}`);
            settings.currencyDisplay =
                choose(options, 'currencyDisplay', ['symbol', 'narrowSymbol', 'code'], 'symbol');
            const digits = includes(wholeCurrencies, settings.currency) ? 0 : 2;
            usual = [digits, digits];
        }
        settings.isUsual = settings.notation === 'compact' && options.maximumFractionDigits === undefined
            && options.minimumFractionDigits === undefined;
        if (settings.notation === 'compact')
            usual = [0, 0];
        const least = integer(options, 'minimumFractionDigits', 0, 100, undefined);
        const most = integer(options, 'maximumFractionDigits', 0, 100, undefined);
        if (least !== undefined && most !== undefined && least > most)
            throw new RangeErrorClass('maximumFractionDigits value is out of range.');
        settings.minimumFractionDigits = least ?? min(usual[0], most ?? usual[0]);
        settings.maximumFractionDigits = most ?? max(usual[1], settings.minimumFractionDigits);
        settings.minimumSignificantDigits = integer(options, 'minimumSignificantDigits', 1, 21, undefined);
        settings.maximumSignificantDigits = integer(options, 'maximumSignificantDigits', 1, 21,
            settings.minimumSignificantDigits === undefined ? undefined : 21);
        return settings;
    };

    // --- Dates -----------------------------------------------------------------------------------

    const english = {
        months: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
            'November', 'December'],
        days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
        shortMonth: (name) => slice(name, 0, 3), shortDay: (name) => slice(name, 0, 3),
    };
    const british = { ...english, shortMonth: (name) => name === 'September' ? 'Sept' : slice(name, 0, 3) };
    const germanMonths = { __proto__: null, Januar: 'Jan.', Februar: 'Feb.', August: 'Aug.', September: 'Sept.',
        Oktober: 'Okt.', November: 'Nov.', Dezember: 'Dez.' };
    const german = {
        months: ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober',
            'November', 'Dezember'],
        days: ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
        shortMonth: (name) => germanMonths[name] ?? name, shortDay: (name) => slice(name, 0, 2),
    };
    const words = { __proto__: null, 'en-US': english, 'en-GB': british, 'de-DE': german };

    const two = (number) => padStart(`${number}`, 2, '0');

    const dateText = (s, date) => {
        const { locale } = s;
        const { months, days, shortMonth, shortDay } = words[locale];
        const year = part.FullYear(date);
        const yearText = s.year === undefined ? '' : s.year === '2-digit' ? two(abs(year) % 100) : `${year}`;
        const dayText = s.day === undefined ? '' : s.day === '2-digit' ? two(part.Date(date)) : `${part.Date(date)}`;
        const dayName = days[part.Day(date)];
        const weekday = s.weekday === undefined ? '' : s.weekday === 'long' ? dayName : shortDay(dayName);
        const monthName = months[part.Month(date)];
        const number = part.Month(date) + 1;
        if (s.month === 'long' || s.month === 'short') {
            const month = s.month === 'long' ? monthName
                : locale === 'de-DE' && dayText === '' && yearText === '' ? slice(monthName, 0, 3)
                    : shortMonth(monthName);
            if (locale === 'en-US') {
                const first = dayText === '' ? month : `${month} ${dayText}`;
                const rest = yearText === '' ? first : dayText === '' ? `${first} ${yearText}` : `${first}, ${yearText}`;
                return weekday === '' ? rest : `${weekday}, ${rest}`;
            }
            const first = dayText === '' ? month : `${dayText}${locale === 'de-DE' ? '.' : ''} ${month}`;
            const rest = yearText === '' ? first : `${first} ${yearText}`;
            if (weekday === '')
                return rest;
            const dot = locale === 'de-DE' && s.weekday === 'short' ? '.' : '';
            const comma = locale === 'en-GB' && yearText === '' ? '' : ',';
            return `${weekday}${dot}${comma} ${rest}`;
        }
        const parts = [];
        const wide = locale === 'en-GB' && s.day !== undefined && s.month !== undefined;
        const month = s.month === undefined ? '' : s.month === '2-digit' || wide ? two(number) : `${number}`;
        const day = dayText !== '' && wide ? padStart(dayText, 2, '0') : dayText;
        for (const text of locale === 'en-US' ? [month, day, yearText] : [day, month, yearText])
            if (text !== '')
                push(parts, text);
        let text = join(parts, locale === 'de-DE' && !(day === '' && s.month === '2-digit') ? '.' : '/');
        if (locale === 'de-DE' && parts.length > 0 && yearText === '' && (month !== '' || parts.length > 1))
            text += month !== '' && day === '' ? '' : '.';
        if (weekday === '')
            return text;
        return text === '' ? weekday : `${weekday}, ${text}`;
    };

    const timeText = (s, date) => {
        const hours = part.Hours(date);
        const twelve = s.hour12 ?? s.locale === 'en-US';
        const parts = [];
        if (s.hour !== undefined) {
            const shown = twelve ? hours % 12 || 12 : hours;
            push(parts, s.hour === '2-digit' || (!twelve && (s.minute !== undefined || s.locale !== 'en-US'))
                ? two(shown) : `${shown}`);
        }
        if (s.minute !== undefined)
            push(parts, s.hour === undefined && s.second === undefined ? `${part.Minutes(date)}` : two(part.Minutes(date)));
        if (s.second !== undefined)
            push(parts, s.minute === undefined ? `${part.Seconds(date)}` : two(part.Seconds(date)));
        let text = join(parts, ':');
        if (s.fractionalSecondDigits !== undefined && s.second !== undefined)
            text += (s.locale === 'de-DE' ? ',' : '.')
                + slice(padStart(`${part.Milliseconds(date)}`, 3, '0'), 0, s.fractionalSecondDigits);
        if (s.hour !== undefined && twelve)
            text += s.locale === 'en-GB' ? ` ${hours < 12 ? 'am' : 'pm'}` : ` ${hours < 12 ? 'AM' : 'PM'}`;
        else if (s.hour !== undefined && parts.length === 1 && s.locale === 'de-DE')
            text += ' Uhr';
        if (s.timeZoneName === 'long')
            text += s.locale === 'de-DE' ? ' Koordinierte Weltzeit' : ' Coordinated Universal Time';
        else if (s.timeZoneName !== undefined)
            text += ' UTC';
        return text;
    };

    const dateStyles = {
        __proto__: null,
        full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
        long: { year: 'numeric', month: 'long', day: 'numeric' },
        medium: { year: 'numeric', month: 'short', day: 'numeric' },
        short: { year: '2-digit', month: 'numeric', day: 'numeric' },
    };
    const styleOf = (locale, style) => {
        if (locale === 'de-DE' && style === 'medium')
            return { year: 'numeric', month: '2-digit', day: '2-digit' };
        if (locale === 'de-DE' && style === 'short')
            return { year: '2-digit', month: '2-digit', day: '2-digit' };
        if (locale === 'en-GB' && style === 'short')
            return { year: 'numeric', month: '2-digit', day: '2-digit' };
        return dateStyles[style];
    };
    const timeStyles = {
        __proto__: null,
        full: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'long' },
        long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
        medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
        short: { hour: 'numeric', minute: '2-digit' },
    };

    const dateFields = ['weekday', 'year', 'month', 'day'];
    const timeFields = ['hour', 'minute', 'second', 'fractionalSecondDigits'];

    const dateSettings = (locales, options, required, defaults) => {
        options = options === undefined ? {} : Object(options);
        refuse(options, ['era', 'dayPeriod', 'calendar', 'numberingSystem']);
        const s = { locale: localeOf(locales) };
        const zone = options.timeZone;
        if (zone !== undefined && !test(/^(?:utc|gmt|etc\/utc|etc\/gmt)$/i, `${zone}`))
            unsupported(`the time zone ${zone} (UTC is)`);
        s.hour12 = options.hour12 === undefined ? undefined : !!options.hour12;
        if (options.hourCycle !== undefined && options.hour12 === undefined)
            s.hour12 = choose(options, 'hourCycle', ['h12', 'h23'], undefined) === 'h12';
        const styles = ['full', 'long', 'medium', 'short'];
        const dateStyle = choose(options, 'dateStyle', styles, undefined);
        const timeStyle = choose(options, 'timeStyle', styles, undefined);
        s.weekday = choose(options, 'weekday', ['long', 'short'], undefined);
        s.year = choose(options, 'year', ['numeric', '2-digit'], undefined);
        s.month = choose(options, 'month', ['numeric', '2-digit', 'long', 'short'], undefined);
        s.day = choose(options, 'day', ['numeric', '2-digit'], undefined);
        s.hour = choose(options, 'hour', ['numeric', '2-digit'], undefined);
        s.minute = choose(options, 'minute', ['numeric', '2-digit'], undefined);
        s.second = choose(options, 'second', ['numeric', '2-digit'], undefined);
        s.fractionalSecondDigits = integer(options, 'fractionalSecondDigits', 1, 3, undefined);
        s.timeZoneName = choose(options, 'timeZoneName', ['short', 'long'], undefined);
        const has = (fields) => {
            for (let i = 0; i < fields.length; i++)
                if (s[fields[i]] !== undefined)
                    return true;
            return false;
        };
        if (dateStyle !== undefined || timeStyle !== undefined) {
            if (has(dateFields) || has(timeFields) || s.timeZoneName !== undefined)
                throw new TypeErrorClass('dateStyle and timeStyle cannot be combined with other options');
            if ((required === 'date' && timeStyle !== undefined) || (required === 'time' && dateStyle !== undefined))
                throw new TypeErrorClass(`${required === 'date' ? 'timeStyle' : 'dateStyle'} is not possible here`);
            if (dateStyle !== undefined) {
                const fields = styleOf(s.locale, dateStyle);
                s.weekday = fields.weekday;
                s.year = fields.year;
                s.month = fields.month;
                s.day = fields.day;
            }
            if (timeStyle !== undefined) {
                const fields = timeStyles[timeStyle];
                s.hour = fields.hour;
                s.minute = fields.minute;
                s.second = fields.second;
                s.timeZoneName = fields.timeZoneName;
            }
            s.glue = dateStyle === 'full' || dateStyle === 'long' ? (s.locale === 'de-DE' ? ' um ' : ' at ') : ', ';
        } else {
            const missing = (required === 'date' && !has(dateFields)) || (required === 'time' && !has(timeFields))
                || (required === 'any' && !has(dateFields) && !has(timeFields));
            if (missing && (defaults === 'date' || defaults === 'all'))
                s.year = s.month = s.day = 'numeric';
            if (missing && (defaults === 'time' || defaults === 'all'))
                s.hour = s.minute = s.second = 'numeric';
            s.glue = s.month === 'long' ? (s.locale === 'de-DE' ? ' um ' : ' at ') : ', ';
        }
        return s;
    };

    const formatDate = (settings, input) => {
        const time = input === undefined ? now() : toNumber(input);
        const date = new DateClass(time);
        if (dateValue(date) !== dateValue(date))
            throw new RangeErrorClass('Invalid time value');
        const day = dateText(settings, date);
        const clock = timeText(settings, date);
        return day === '' ? clock : clock === '' ? day : `${day}${settings.glue}${clock}`;
    };

    // --- The objects -----------------------------------------------------------------------------

    const supported = (locales) => {
        const list = locales === undefined ? [] : isArray(locales) ? locales : [locales];
        const out = [];
        for (let i = 0; i < list.length; i++)
            if (known[`${list[i]}`] !== undefined)
                push(out, list[i]);
        return out;
    };

    class NumberFormat {
        #settings;
        #format;
        constructor(locales = undefined, options = undefined) {
            this.#settings = numberSettings(locales, options);
        }
        get format() {
            return this.#format ??= (value) => numberText(this.#settings, value);
        }
        resolvedOptions() {
            const { locale, style, currency, currencyDisplay, notation, signDisplay, minimumIntegerDigits,
                minimumFractionDigits, maximumFractionDigits } = this.#settings;
            return { locale, numberingSystem: 'latn', style, currency, currencyDisplay, notation, signDisplay,
                minimumIntegerDigits, minimumFractionDigits, maximumFractionDigits };
        }
        static supportedLocalesOf(locales) {
            return supported(locales);
        }
    }

    class DateTimeFormat {
        #settings;
        #format;
        constructor(locales = undefined, options = undefined) {
            this.#settings = dateSettings(locales, options, 'any', 'date');
        }
        get format() {
            return this.#format ??= (date) => formatDate(this.#settings, date);
        }
        resolvedOptions() {
            return { locale: this.#settings.locale, calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' };
        }
        static supportedLocalesOf(locales) {
            return supported(locales);
        }
    }

    // Both can be called without `new`.
    const callable = (Class) => {
        const made = function (locales = undefined, options = undefined) {
            return Reflect.construct(Class, [locales, options], new.target ?? Class);
        };
        defineProperty(made, 'name', { value: Class.name, configurable: true });
        defineProperty(made, 'prototype', { value: Class.prototype, writable: false });
        hidden(made, 'supportedLocalesOf', Class.supportedLocalesOf);
        hidden(Class.prototype, 'constructor', made);
        defineProperty(Class.prototype, Symbol.toStringTag, { value: `Intl.${Class.name}`, configurable: true });
        return made;
    };
    const Intl = {};
    hidden(Intl, 'NumberFormat', callable(NumberFormat));
    hidden(Intl, 'DateTimeFormat', callable(DateTimeFormat));
    defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
    hidden(globalThis, 'Intl', Intl);

    const override = (prototype, methods) => {
        for (const name of Object.keys(methods))
            hidden(prototype, name, methods[name]);
    };
    override(Number.prototype, {
        toLocaleString(locales = undefined, options = undefined) {
            const value = numberValue(this);
            return numberText(numberSettings(locales, options), value);
        },
    });
    override(BigInt.prototype, {
        toLocaleString(locales = undefined, options = undefined) {
            const value = bigintValue(this);
            return numberText(numberSettings(locales, options), value);
        },
    });
    const dateMethod = (required, defaults) => (date, locales, options) => {
        const time = dateValue(date);
        const settings = dateSettings(locales, options, required, defaults);
        return time === time ? formatDate(settings, time) : 'Invalid Date';
    };
    const all = dateMethod('any', 'all');
    const dateOnly = dateMethod('date', 'date');
    const timeOnly = dateMethod('time', 'time');
    override(Date.prototype, {
        toLocaleString(locales = undefined, options = undefined) {
            return all(this, locales, options);
        },
        toLocaleDateString(locales = undefined, options = undefined) {
            return dateOnly(this, locales, options);
        },
        toLocaleTimeString(locales = undefined, options = undefined) {
            return timeOnly(this, locales, options);
        },
    });
})
