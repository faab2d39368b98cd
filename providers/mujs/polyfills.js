/* Methods newer than ECMAScript 5 that programs use without newer syntax, and substr. They are
 * evaluated once, when the template is made. */
(function () {
    'use strict';
    var hasOwn = Object.prototype.hasOwnProperty;

    function define(object, methods) {
        Object.keys(methods).forEach(function (name) {
            if (!hasOwn.call(object, name))
                Object.defineProperty(object, name,
                                      {value: methods[name], writable: true, configurable: true});
        });
    }

    function text(value) {
        if (value === undefined || value === null)
            throw new TypeError('a string method was called on null or undefined');
        return String(value);
    }

    function noRegExp(value, method) {
        if (Object.prototype.toString.call(value) === '[object RegExp]')
            throw new TypeError(method + ': a regular expression is not accepted');
        return String(value);
    }

    function repeat(string, count) {
        var result = '';

        while (count > 0) {
            if (count % 2 === 1)
                result += string;
            count = Math.floor(count / 2);
            if (count > 0)
                string += string;
        }
        return result;
    }

    function padding(string, length, fill) {
        var missing = length - string.length;

        fill = fill === undefined ? ' ' : String(fill);
        return missing > 0 && fill !== ''
            ? repeat(fill, Math.ceil(missing / fill.length)).slice(0, missing) : '';
    }

    define(String.prototype, {
        substr: function (start, length) {
            var string = text(this), size = string.length;

            start = start < 0 ? Math.max(0, size + Number(start)) : Number(start) || 0;
            return string.slice(start, length === undefined ? size
                                       : Math.max(start, Math.min(size, start + Number(length))));
        },
        includes: function (search, from) {
            return text(this).indexOf(noRegExp(search, 'includes'), from) >= 0 || String(search) === '';
        },
        startsWith: function (search, from) {
            search = noRegExp(search, 'startsWith');
            from = from === undefined ? 0 : from;
            return text(this).slice(from, from + search.length) === search;
        },
        endsWith: function (search, end) {
            var string = text(this);

            search = noRegExp(search, 'endsWith');
            end = end === undefined ? string.length : Math.min(end, string.length);
            return end >= search.length && string.slice(end - search.length, end) === search;
        },
        repeat: function (count) {
            count = Math.floor(Number(count)) || 0;
            if (count < 0 || count === Infinity)
                throw new RangeError('repeat: a bad count');
            return repeat(text(this), count);
        },
        padStart: function (length, fill) {
            var string = text(this);

            return padding(string, length, fill) + string;
        },
        padEnd: function (length, fill) {
            var string = text(this);

            return string + padding(string, length, fill);
        },
        replaceAll: function (search, replacement) {
            var string = text(this);

            if (Object.prototype.toString.call(search) === '[object RegExp]')
                return string.replace(search, replacement);
            search = String(search);
            if (typeof replacement !== 'function')
                return string.split(search).join(String(replacement));
            return string.split(search).reduce(function (before, after) {
                return before + replacement(search, before.length, string) + after;
            });
        },
        at: function (index) {
            var string = text(this);

            index = Math.trunc(index) || 0;
            return string[index < 0 ? string.length + index : index];
        },
        codePointAt: function (index) {
            var string = text(this), high, low;

            index = index || 0;
            if (index < 0 || index >= string.length)
                return undefined;
            high = string.charCodeAt(index);
            low = string.charCodeAt(index + 1);
            return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
                ? 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00) : high;
        }
    });

    function find(array, test, receiver) {
        for (var i = 0; i < array.length; i++)
            if (test.call(receiver, array[i], i, array))
                return i;
        return -1;
    }

    function findLast(array, test, receiver) {
        for (var i = array.length - 1; i >= 0; i--)
            if (test.call(receiver, array[i], i, array))
                return i;
        return -1;
    }

    function flatten(from, depth, to) {
        from.forEach(function (item) {
            if (Array.isArray(item) && depth > 0)
                flatten(item, depth - 1, to);
            else
                to.push(item);
        });
        return to;
    }

    define(Array.prototype, {
        find: function (test, receiver) { return this[find(this, test, receiver)]; },
        findIndex: function (test, receiver) { return find(this, test, receiver); },
        findLast: function (test, receiver) { return this[findLast(this, test, receiver)]; },
        findLastIndex: function (test, receiver) { return findLast(this, test, receiver); },
        includes: function (value, from) {
            for (var i = from || 0; i < this.length; i++)
                if (this[i] === value || (value !== value && this[i] !== this[i]))
                    return true;
            return false;
        },
        fill: function (value, start, end) {
            var length = this.length;

            start = start === undefined ? 0 : start < 0 ? Math.max(0, length + start) : start;
            end = end === undefined ? length : end < 0 ? length + end : Math.min(end, length);
            for (var i = start; i < end; i++)
                this[i] = value;
            return this;
        },
        flat: function (depth) { return flatten(this, depth === undefined ? 1 : depth, []); },
        flatMap: function (map, receiver) { return flatten(this.map(map, receiver), 1, []); },
        at: function (index) {
            index = Math.trunc(index) || 0;
            return this[index < 0 ? this.length + index : index];
        }
    });

    define(Array, {
        of: function () { return Array.prototype.slice.call(arguments); },
        from: function (items, map, receiver) {
            var array = [], length = items.length || 0;

            for (var i = 0; i < length; i++)
                array.push(map ? map.call(receiver, items[i], i) : items[i]);
            return array;
        }
    });

    define(Object, {
        assign: function (target) {
            for (var i = 1; i < arguments.length; i++) {
                var source = arguments[i];

                if (source !== undefined && source !== null)
                    Object.keys(Object(source)).forEach(function (key) {
                        target[key] = source[key];
                    });
            }
            return target;
        },
        values: function (object) {
            return Object.keys(Object(object)).map(function (key) { return object[key]; });
        },
        entries: function (object) {
            return Object.keys(Object(object)).map(function (key) { return [key, object[key]]; });
        },
        fromEntries: function (entries) {
            var object = {};

            entries.forEach(function (entry) { object[entry[0]] = entry[1]; });
            return object;
        },
        is: function (a, b) {
            return a === b ? a !== 0 || 1 / a === 1 / b : a !== a && b !== b;
        },
        hasOwn: function (object, key) { return hasOwn.call(Object(object), key); }
    });

    define(Number, {
        isFinite: function (value) { return typeof value === 'number' && isFinite(value); },
        isNaN: function (value) { return value !== value; },
        isInteger: function (value) {
            return typeof value === 'number' && isFinite(value) && Math.floor(value) === value;
        },
        isSafeInteger: function (value) {
            return Number.isInteger(value) && Math.abs(value) <= 9007199254740991;
        },
        EPSILON: Math.pow(2, -52),
        MAX_SAFE_INTEGER: 9007199254740991,
        MIN_SAFE_INTEGER: -9007199254740991
    });

    define(Math, {
        trunc: function (value) { return value < 0 ? Math.ceil(value) : Math.floor(value); },
        sign: function (value) {
            value = Number(value);
            return value > 0 ? 1 : value < 0 ? -1 : value;
        },
        log2: function (value) { return Math.log(value) / Math.LN2; },
        log10: function (value) { return Math.log(value) / Math.LN10; },
        hypot: function () {
            var sum = 0;

            for (var i = 0; i < arguments.length; i++)
                sum += arguments[i] * arguments[i];
            return Math.sqrt(sum);
        },
        cbrt: function (value) {
            return value < 0 ? -Math.pow(-value, 1 / 3) : Math.pow(value, 1 / 3);
        }
    });
})();
