// What the compiler learns from which parts of the engine programs use most (train.c, compile). The mix
// is that of small programs as models write them: each part takes about as long as any other.

function fibonacci(n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

function integers(count) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
        if (i % 3 === 0 || (i & 4) !== 0)
            sum = (sum + i * 7) % 1000003;
        else
            sum ^= i >> 2;
    }
    return sum;
}

function numbers(count) {
    let x = 0.5;
    for (let i = 0; i < count; i++)
        x = 3.7 * x * (1 - x) + Math.sqrt(i) / 1e9;
    return x.toFixed(3) + Math.round(x * 100) / 100;
}

function sieve(size) {
    const composite = [];
    for (let i = 0; i < size; i++)
        composite[i] = false;
    for (let i = 2; i < size; i++)
        for (let j = i * 2; j < size; j += i)
            composite[j] = true;
    return composite.filter((value) => !value).length;
}

class Shape {
    #area = 0;
    constructor(name, ...sides) {
        this.name = name;
        this.sides = sides;
        this.#area = sides.reduce((a, b) => a * b, 1);
    }
    get area() {
        return this.#area;
    }
    describe() {
        return `${this.name}: ${this.area}`;
    }
}

class Square extends Shape {
    constructor(side) {
        super('square', side, side);
    }
    describe() {
        return `${super.describe()} (${this.sides.length})`;
    }
}

function objects(count) {
    let length = 0;
    const point = { x: 1, y: 2, inner: { z: 3 } };
    function Pair(a, b) {
        this.a = a;
        this.b = b;
    }
    Pair.prototype.sum = function () {
        return this.a + this.b;
    };
    for (let i = 0; i < count; i++) {
        point.x = i;
        length += point.x + point.y + point.inner.z + new Pair(i, 1).sum();
        if (i % 8 === 0)
            length += new Square(i).describe().length;
    }
    return length;
}

function closures(count) {
    const adders = (n) => (x) => x + n;
    let sum = 0;
    for (let i = 0; i < count; i++)
        sum = adders(i)(sum) % 10007;
    return sum;
}

function rows(count) {
    return Array.from({ length: count }, (_, id) => ({
        id,
        name: `item ${id}`,
        group: ['red', 'green', 'blue'][id % 3],
        price: (id * 37 % 101) / 4,
        tags: ['x', `t${id % 7}`],
        nested: { active: id % 2 === 0, note: null },
    }));
}

function collections(count) {
    const all = rows(count);
    const byGroup = {};
    for (const { group, price, ...rest } of all)
        (byGroup[group] ??= []).push({ price, ...rest });
    const counts = new Map();
    for (const row of all)
        for (const tag of row.tags)
            counts.set(tag, (counts.get(tag) ?? 0) + 1);
    const unique = new Set(all.map((row) => row.name.slice(0, 6)));
    const best = all.filter((row) => row.nested?.active).map((row) => row.price * 2)
        .reduce((a, b) => a + b, 0);
    const names = [...all].sort((a, b) => b.price - a.price || a.name.localeCompare(b.name))
        .slice(0, 20).map(({ name }) => name);
    return [Object.entries(byGroup).map(([key, list]) => `${key}=${list.length}`), [...counts],
        unique.size, best, names.join()];
}

function sorting(count) {
    const values = [];
    for (let i = 0, x = 1; i < count; i++) {
        x = x * 16807 % 2147483647;
        values.push(x);
    }
    values.sort((a, b) => a - b);
    return values.map(String).sort().indexOf(`${values[0]}`);
}

function keys(count) {
    const seen = {};
    for (let i = 0; i < count; i++) {
        const key = 'k' + i % 97;
        seen[key] = (seen[key] || 0) + 1;
    }
    return Object.keys(seen).length;
}

function json(count) {
    const text = JSON.stringify(rows(count));
    const copy = JSON.parse(text);
    return JSON.stringify(copy, null, 2).length + structure(copy);
}

function structure(value) {
    if (Array.isArray(value))
        return value.map(structure).reduce((a, b) => a + b, 1);
    if (value && typeof value === 'object')
        return Object.keys(value).reduce((sum, key) => sum + structure(value[key]), 1);
    return 1;
}

function text(count) {
    let log = '';
    const parts = [];
    for (let i = 0; i < count; i++) {
        log += `web-${i} ${i % 5 ? 200 : 503} ${i * 3 % 251}ms\n`;
        parts.push('n' + i);
    }
    let slow = 0;
    for (const line of log.trim().split('\n')) {
        const match = /^(\w+)-(\d+) (?<status>\d+) (\d+)ms$/.exec(line);
        if (match?.groups.status === '503')
            slow += Number(match[4]);
    }
    let spaces = 0;
    for (let i = 0; i < log.length; i++)
        if (log.charAt(i) === ' ')
            spaces++;
    for (const character of parts.join(', '))
        spaces += character === ',' ? 1 : 0;
    const words = log.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(4, '0'))
        .split(/\W+/).filter(Boolean);
    return slow + spaces + words.length + log.indexOf('503') + parseInt(words[1], 10);
}

function queue(count) {
    const waiting = [];
    let sum = 0;
    for (let i = 0; i < count; i++)
        waiting.push(i);
    while (waiting.length > 0)
        sum += waiting.shift();
    return sum;
}

function* pages(count) {
    for (let page = 0; page < count; page++)
        yield [page, page + 1];
}

async function fetched(id) {
    if (id % 10 === 9)
        throw new Error(`no ${id}`);
    return { id, value: id * 2 };
}

async function waiting(count) {
    let sum = 0;
    for (const [page, next] of pages(count)) {
        try {
            const { value } = await fetched(page);
            sum += value + next;
        } catch (error) {
            sum += error.message.length;
        }
    }
    const settled = await Promise.allSettled(Array.from({ length: count }, (_, id) => fetched(id)));
    return sum + settled.filter(({ status }) => status === 'fulfilled').length;
}

(async function () {
    const found = [];
    for (let round = 0; round < 8; round++) {
        found.push(fibonacci(17), integers(40000), numbers(30000), sieve(3000), objects(4000),
            closures(12000), collections(300), sorting(1500), keys(8000), json(250), text(300),
            queue(1000), await waiting(300));
    }
    return found;
})();
