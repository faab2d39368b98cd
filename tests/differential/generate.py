"""Random small programs. The same seed gives the same program, everywhere and always."""

import random

PRELUDE = """\
const out = [];
const show = (v) => JSON.stringify(v, (key, value) => {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : `n:${Object.is(value, -0) ? '-0' : value}`;
  if (typeof value === 'bigint') return `b:${value}`;
  if (value === undefined) return 'undefined';
  if (typeof value === 'function') return `f:${value.name}/${value.length}`;
  if (typeof value === 'symbol') return String(value);
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  if (value instanceof Error) return `${value.name}`;
  if (value instanceof RegExp) return String(value);
  return value;
});
"""

WORDS = ["alpha", "web-1", "Beta", "", "42", "3.5e2", "naïve", "日本", "💥x", "a,b;c", "  pad ", "ERROR: x",
         "2024-02-29", "true", "null", "a\\nb", "x=1&y=2", "Zebra", "ß", "0x1F", "-7", "__proto__", "aaa"]
NUMBERS = ["0", "-0", "1", "2", "-1", "7", "10", "0.1", "1.5", "-2.25", "100", "255", "1e21", "1e-7", "123456789",
           "2147483647", "4294967296", "9007199254740991", "NaN", "Infinity", "0.30000000000000004", "1/3"]
KEYS = ["a", "b", "id", "name", "x1", "2", "10", "size"]

PATTERNS = ["/a/g", "/[^a-z]/gi", "/(.)(.)/g", r"/\\b/g"]
REPLACEMENTS = ["'$1_'", "'<$&>'", "(m) => m.length"]
QUOTES = "''"
LETTER = "'x'"
SEPARATORS = ["''", "','", "/[,;-]/"]


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.count = 0
        self.lines = []
        self.indent = 0

    # --- Text -----------------------------------------------------------------------------------

    def pick(self, *choices):
        return self.r.choice(choices)

    def new(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def open(self, text):
        self.line(text)
        self.indent += 1

    def close(self, text="}"):
        self.indent -= 1
        self.line(text)

    def emit(self, value):
        if self.r.random() < 0.12:
            self.line(f"console.log({self.string(1)}, show({value}));")
        self.line(f"out.push(show({value}));")

    # --- Expressions ----------------------------------------------------------------------------

    def small(self):
        return str(self.r.randrange(-3, 12))

    def number(self, depth=2):
        if depth <= 0 or self.r.random() < 0.3:
            return self.pick(self.small(), self.pick(*NUMBERS))
        a, b = self.number(depth - 1), self.number(depth - 1)
        return self.pick(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})", f"({a} % {b})",
            f"({a} | {b})", f"({a} ^ {b})", f"({a} & {b})", f"({a} >>> {self.r.randrange(8)})",
            f"({a} << {self.r.randrange(33)})", f"(-({a}))", f"(~({a}))", f"Math.max({a}, {b})",
            f"Math.round({a})", f"Math.trunc({a})", f"Math.sign({a})", f"Math.hypot({self.small()}, 0)",
            f"({self.boolean(depth - 1)} ? {a} : {b})", f"Number({self.string(depth - 1)})",
            f"parseInt({self.string(depth - 1)}, {self.pick('10', '16', '2')})",
            f"parseFloat({self.string(depth - 1)})", f"{self.string(depth - 1)}.length",
            f"{self.array(depth - 1)}.length", f"Math.imul({a}, {b})", f"Math.fround({a})",
            f"(({self.small()}) ** {self.r.randrange(6)})", f"Math.clz32({a})",
            f"{self.array(depth - 1)}.indexOf({b})", f"Number(({a}).toFixed({self.r.randrange(6)}))",
            f"Math.floor({a})", f"{self.string(depth - 1)}.charCodeAt({self.r.randrange(4)})")

    def string(self, depth=2):
        if depth <= 0 or self.r.random() < 0.35:
            return f"'{self.pick(*WORDS)}'"
        a, b = self.string(depth - 1), self.string(depth - 1)
        i, j = self.r.randrange(-3, 6), self.r.randrange(-3, 8)
        return self.pick(
            f"({a} + {b})", f"`${{{a}}}-${{{self.number(depth - 1)}}}`", f"{a}.toUpperCase()", f"{a}.slice({i}, {j})",
            f"{a}.substring({i}, {j})", f"{a}.padStart({abs(j)}, {b})", f"{a}.padEnd({abs(j)}, '*')",
            f"{a}.repeat({self.r.randrange(4)})", f"{a}.trim()", f"{a}.replace({b}, {self.string(0)})",
            f"{a}.replaceAll({self.pick(*PATTERNS)}, {self.pick(*REPLACEMENTS)})",
            f"{a}.split({b}).join('|')", f"String({self.number(depth - 1)})", f"{a}.at({i}) + ''", f"{a}.concat({b}, 1, null)",
            f"Math.trunc({self.number(depth - 1)} % 1e9).toString({self.pick('2', '8', '10', '16', '36')})",
            f"({self.number(depth - 1)}).toFixed({self.r.randrange(4)})", f"({self.number(1)}).toPrecision({self.r.randrange(1, 8)})",
            f"({self.number(1)}).toExponential({self.r.randrange(4)})", f"{a}.normalize('NFD')", f"[...{a}].reverse().join('')",
            f"String({self.array(depth - 1)})", f"typeof {self.any(depth - 1)}", f"{a}.toLowerCase()",
            f"encodeURIComponent({a})", f"JSON.stringify({self.any(depth - 1)}) + ''", f"{a}.codePointAt(0) + ''",
            f"({self.boolean(0)} ? {a} : {b})")

    def boolean(self, depth=2):
        if depth <= 0 or self.r.random() < 0.2:
            return self.pick("true", "false")
        a, b = self.number(depth - 1), self.number(depth - 1)
        s, t = self.string(depth - 1), self.string(depth - 1)
        return self.pick(
            f"({a} < {b})", f"({a} >= {b})", f"({a} === {b})", f"({s} < {t})", f"({s} === {t})", f"!{self.boolean(depth - 1)}",
            f"({self.boolean(depth - 1)} && {self.boolean(depth - 1)})", f"({self.boolean(depth - 1)} || {self.boolean(depth - 1)})",
            f"{s}.includes({t})", f"{s}.startsWith({t})", f"Number.isInteger({a})", f"Object.is({a}, {b})", f"({a} == {s})",
            f"{self.array(depth - 1)}.includes({a})", f"Array.isArray({self.any(depth - 1)})", f"/[a-c]+\\d?/.test({s})",
            f"({s} in {self.object(depth - 1)})", f"{self.array(depth - 1)}.some((e) => e > {a})", f"isNaN({s})",
            f"({self.string(0)}.localeCompare({self.string(0)}) < 0)")

    def array(self, depth=2):
        if depth <= 0 or self.r.random() < 0.3:
            return "[" + ", ".join(self.number(0) for _ in range(self.r.randrange(6))) + "]"
        a, b = self.array(depth - 1), self.array(depth - 1)
        n = self.number(depth - 1)
        i, j = self.r.randrange(-3, 5), self.r.randrange(-3, 6)
        return self.pick(
            f"{a}.map((e, i) => e {self.pick('+', '*', '-')} i)", f"{a}.filter((e) => e {self.pick('>', '<', '!==')} {n})",
            f"[...{a}, {n}, ...{b}]", f"{a}.slice({i}, {j})", f"{a}.concat({b})", f"{a}.toSorted((p, q) => (`${{p}}` < `${{q}}` ? -1 : `${{p}}` > `${{q}}` ? 1 : 0))",
            f"{a}.toSorted()", f"{a}.toReversed()", f"Array.from({{ length: {self.r.randrange(5)} }}, (_, k) => k * {self.small()})",
            f"{a}.flatMap((e) => [e, [e]])", f"Array.from({self.string(depth - 1)})", f"{a}.fill({n}, {i}, {j})",
            f"Object.values({self.object(depth - 1)})", f"Object.keys({self.object(depth - 1)})", f"{self.string(depth - 1)}.split({self.pick(*SEPARATORS)})",
            f"[{n}, {self.string(depth - 1)}, {self.boolean(depth - 1)}]", f"{a}.toSpliced({i}, {self.r.randrange(3)}, {n})",
            f"[...new Set({a})]", f"[{a}, [{b}]].flat({self.pick('1', 'Infinity')})", f"{a}.copyWithin({i}, {j})",
            f"Object.entries({self.object(depth - 1)})", f"[...{self.string(depth - 1)}.matchAll(/[a-z](?<d>.)?/g)].map((m) => m.index)")

    def object(self, depth=2):
        parts = []
        for _ in range(self.r.randrange(4)):
            key = self.pick(*KEYS)
            parts.append(self.pick(
                f"{key}: {self.any(depth - 1)}", f"[{self.string(0)} + 'k']: {self.any(depth - 1)}",
                f"...{self.array(0)}", f"'{key} z': {self.string(0)}"))
        if self.r.random() < 0.2:  # as the last one: V8 defines accessors after all else
            parts.append(f"get g() {{ return {self.number(0)}; }}")
        return "({ " + ", ".join(parts) + " })"

    def any(self, depth=2):
        if depth <= 0:
            return self.pick("null", "undefined", self.number(0), self.string(0), "true")
        return self.pick(self.number, self.string, self.boolean, self.array, self.object)(depth)

    # --- Blocks ---------------------------------------------------------------------------------

    def expression(self):
        name = self.new()
        self.line(f"{self.pick('const', 'let', 'var')} {name} = {self.any(3)};")
        self.emit(name)

    def loop(self):
        s, i = self.new("s"), self.new("i")
        self.line(f"let {s} = {self.pick('0', QUOTES, self.small())};")
        kind = self.r.randrange(4)
        if kind == 0:
            self.open(f"for (let {i} = 0; {i} < {self.r.randrange(1, 9)}; {i}++) {{")
        elif kind == 1:
            self.open(f"for (const {i} of {self.array(2)}) {{")
        elif kind == 2:
            self.open(f"for (const {i} in {self.object(2)}) {{")
        else:
            self.open(f"for (const [{i}, e{i}] of {self.array(1)}.entries()) {{")
        if self.r.random() < 0.4:
            self.line(f"if ({i} == {self.small()}) {self.pick('continue', 'break')};")
        self.line(f"{s} += {self.pick(i, f'String({i})', self.number(1))};")
        self.close()
        self.emit(s)

    def labelled(self):
        n, a, b = self.new("n"), self.new("i"), self.new("j")
        self.line(f"let {n} = 0;")
        self.open(f"outer: for (let {a} = 0; {a} < {self.r.randrange(2, 6)}; {a}++) {{")
        self.open(f"for (let {b} = 0; {b} < 5; {b}++) {{")
        self.line(f"if (({a} * {b}) % {self.r.randrange(2, 5)} === 1) {self.pick('continue outer', 'break outer', 'break', 'continue')};")
        self.line(f"{n} += {a} * 10 + {b};")
        self.close()
        self.close()
        self.emit(n)

    def closure(self):
        f, c = self.new("f"), self.new("c")
        self.open(f"const {f} = (start = {self.small()}, ...rest) => {{")
        self.line("let state = start;")
        self.line(f"return {{ next: (by = 1) => (state {self.pick('+=', '-=', '*=')} by), get value() {{ return state; }}, rest }};")
        self.close("};")
        self.line(f"const {c} = {f}({self.pick('', 'undefined, 1, 2', self.number(1), self.string(1))});")
        for _ in range(self.r.randrange(1, 4)):
            self.line(f"{c}.next({self.pick('', self.number(1))});")
        self.emit(f"[{c}.value, {c}.rest, {f}.length, {f}.name]")

    def destructuring(self):
        a, b, c = self.new("a"), self.new("b"), self.new("c")
        self.line(self.pick(
            f"const [{a}, , {b} = {self.number(1)}, ...{c}] = {self.array(2)};",
            f"const {{ a: {a} = {self.string(1)}, id: {b}, ...{c} }} = {self.object(2)};",
            f"const {{ length: {a}, [{self.small().replace('-', '')}]: {b} = 'none' }} = {self.string(2)}, {c} = {a};",
            f"let [{a}, {b}] = [{self.number(1)}, {self.string(1)}], {c}; [{a}, {b}] = [{b}, {a}]; {c} = {a} ?? {b};",
            f"const {{ x: {{ y: [{a}] = [{self.number(0)}] }} = {{}}, ...{c} }} = {{ x: {{}}, z: 1 }}, {b} = {c}?.z?.q;"))
        self.emit(f"[{a}, {b}, {c}]")

    def trying(self):
        t = self.new("t")
        self.line(f"const {t} = [];")
        self.open("try {")
        self.line(f"{t}.push(1);")
        self.line(self.error_expression())
        self.line(f"{t}.push(2);")
        self.close(f"}} catch ({self.pick('e', '{ name }')}) {{")
        self.indent += 1
        self.line(f"{t}.push({self.pick('3', LETTER)});")
        self.close("} finally {")
        self.indent += 1
        self.line(f"{t}.push({self.number(1)});")
        self.close()
        self.emit(t)

    def try_return(self):
        f = self.new("f")
        self.open(f"const {f} = (n) => {{")
        self.open("for (;;) {")
        self.line(f"try {{ if (n > {self.small()}) return 'big'; if (n < 0) throw new {self.pick('Error', 'RangeError', 'TypeError')}('neg' + n); break; }}")
        self.line("catch (e) { return e.name + ':' + e.message; }")
        self.line(f"finally {{ n++; {self.pick('', 'if (n === 3) continue;', 'if (n === 100) return n;')} }}")
        self.close()
        self.line("return n;")
        self.close("};")
        self.emit(f"[{f}(-2), {f}(0), {f}(2), {f}(50)]")

    def asynchronous(self):
        f, order = self.new("f"), self.new("order")
        self.line(f"const {order} = [];")
        self.open(f"const {f} = async (n) => {{")
        self.line(f"{order}.push('in' + n);")
        self.line(self.pick("await null;", "await Promise.resolve();", "await new Promise((r) => queueMicrotask(r));", "await { then(r) { r(n); } };"))
        self.line(f"{order}.push('out' + n);")
        self.line(f"if (n === {self.r.randrange(4)}) throw new RangeError('n' + n);")
        self.line(f"return n * {self.small()};")
        self.close("};")
        call = self.pick("all", "allSettled", "race", "any")
        self.line(f"const r{f} = await Promise.{call}([{f}(1), {f}(2), {self.pick('3', f + '(3)', 'Promise.resolve(9)')}]).then((v) => v, (e) => [e.name, e.message]);")
        self.emit(f"[r{f}, {order}]")

    def generator(self):
        g = self.new("g")
        self.open(f"function* {g}(n) {{")
        self.line(f"let got = yield n;")
        self.line(f"for (let k = 0; k < {self.r.randrange(1, 5)}; k++) got = (yield [k, got]) ?? {self.small()};")
        self.line(f"yield* {self.array(1)};")
        self.line("return 'end';")
        self.close()
        it = self.new("it")
        self.line(f"const {it} = {g}({self.number(1)});")
        self.emit(f"[{it}.next(), {it}.next({self.string(1)}), {it}.next(), [...{it}], {it}.next(), [...{g}(1)].length]")

    def async_generator(self):
        g, r = self.new("ag"), self.new("r")
        self.line(f"async function* {g}() {{ for (const x of {self.array(1)}) {{ await null; yield x; }} }}")
        self.line(f"const {r} = []; for await (const x of {g}()) {{ {r}.push(x); if ({r}.length > 3) break; }}")
        self.emit(r)

    def klass(self):
        a, b = self.new("A"), self.new("B")
        self.open(f"class {a} {{")
        self.line(f"#hidden = {self.number(1)}; static made = 0; tag = {self.string(1)};")
        self.line(f"constructor(x) {{ this.x = x; {a}.made++; }}")
        self.line("get hidden() { return this.#hidden; } set hidden(v) { this.#hidden = v; }")
        self.line(f"sum(...n) {{ return n.reduce((p, q) => p + q, this.x); }} static of(x) {{ return new this(x); }} toString() {{ return `{a}(${{this.x}})`; }}")
        self.close()
        self.line(f"class {b} extends {a} {{ sum(...n) {{ return [super.sum(...n)]; }} get [Symbol.toStringTag]() {{ return 'T'; }} }}")
        o = self.new("o")
        self.line(f"const {o} = {self.pick(f'new {b}', f'{b}.of', f'new {a}', f'{a}.of')}({self.number(1)}); {o}.hidden = {self.any(1)};")
        self.emit(f"[{o}.sum({self.number(0)}, {self.number(0)}), {o}.hidden, `${{{o}}}`, {o} instanceof {b}, {a}.made, Object.keys({o}), Object.prototype.toString.call({o})]")

    def collections(self):
        m = self.new("m")
        self.line(f"const {m} = new Map({self.array(2)}.map((e, i) => [e, i]));")
        self.line(f"{m}.set({self.any(1)}, {self.number(1)}).delete({self.number(0)});")
        s = self.new("s")
        self.line(f"const {s} = new Set([...{m}.values(), ...{self.array(1)}]);")
        self.emit(f"[[...{m}.keys()], {m}.size, [...{s}], {s}.has({self.small()}), {m}.get({self.number(0)})]")

    def sorting(self):
        a = self.new("rows")
        self.line(f"const {a} = Array.from({{ length: {self.r.randrange(2, 14)} }}, (_, i) => ({{ id: (i * {self.r.randrange(1, 30)}) % {self.r.randrange(2, 13)}, i }}));")
        self.emit(self.pick(f"{a}.sort((p, q) => p.id - q.id)", f"{a}.toSorted((p, q) => q.id - p.id || p.i - q.i)",
                            f"{a}.map((r) => String(r.id)).sort()", f"[{self.string(1)}, undefined, {self.string(1)}, null, {self.number(1)}].sort()",
                            f"[{', '.join(self.string(0) for _ in range(6))}].sort((p, q) => p.localeCompare(q))",
                            f"{a}.findLast((r) => r.id > 2)", f"{a}.reduce((acc, r) => ((acc[r.id] ??= []).push(r.i), acc), {{}})"))

    def regexp(self):
        s = self.new("s")
        self.line(f"const {s} = {self.string(2)} + 'key=val; n=42, x-y_z 2024-05-06';")
        pattern = self.pick("/(\\w+)=(\\w+)/g", "/(?<year>\\d{4})-(?<m>\\d\\d)/", "/[^\\s,;]+/g", "/(a|b)*?c?/y", "/\\bn=(\\d+)(?=,)/", "/(?<!x)-/g",
                            "/^.*?(\\d+).*$/s", "/[\\u{1F300}-\\u{1FFFF}]/u", "/\\p{Lu}/gu", "/(.)\\1/", "/x*/g", "/(?:)/")
        self.emit(self.pick(f"{s}.match({pattern})", f"{s}.replace({pattern}, (m, a, b) => `<${{m}}|${{a}}|${{typeof b}}>`)", f"{s}.split({pattern})",
                            f"{pattern}.exec({s})?.groups", f"{s}.search({pattern})", f"[{pattern}.flags, {pattern}.source, {pattern}.exec({s})?.index]"))

    def json(self):
        o = self.new("o")
        self.line(f"const {o} = {self.object(3)};")
        self.emit(self.pick(f"JSON.parse(JSON.stringify({o}) ?? 'null')", f"JSON.stringify({o}, null, {self.r.randrange(4)})",
                            f"JSON.parse(JSON.stringify([{o}]), (k, v) => typeof v === 'number' ? v + 1 : v)", f"JSON.stringify({o}, ['a', 'id', '2'])",
                            f"structuredClone({o})", f"Object.fromEntries(Object.entries({o}).map(([k, v]) => [k + '!', v]))"))

    def switching(self):
        f = self.new("f")
        self.open(f"function {f}(x) {{")
        self.line("let r = '';")
        self.open("switch (x) {")
        for _ in range(self.r.randrange(1, 4)):
            self.line(f"case {self.pick(self.number(0), self.string(0))}: r += {self.string(1)};{self.pick(' break;', '', ' return r;')}")
        self.line(f"default: r += 'd';{self.pick(' break;', '')}")
        self.line(f"case {self.number(0)}: r += 'e';")
        self.close()
        self.line("return r;")
        self.close()
        self.emit(f"[{f}({self.number(0)}), {f}({self.string(0)}), {f}()]")

    def tagged(self):
        f = self.new("tag")
        self.line(f"const {f} = (parts, ...values) => [parts.raw.join('|'), parts.length, values];")
        self.emit(f"{f}`a${{{self.any(1)}}}\\n${{{self.number(1)}}}z`")

    def dates(self):
        d = self.new("d")
        self.line(f"const {d} = new Date(Date.UTC({self.r.randrange(1960, 2040)}, {self.r.randrange(-3, 15)}, {self.r.randrange(-5, 40)}, {self.r.randrange(30)}));")
        self.emit(f"[{d}.toISOString(), {d}.getUTCDay(), +{d}, {d}.toJSON(), Date.parse('{self.r.randrange(1990, 2030)}-0{self.r.randrange(1, 10)}-1{self.r.randrange(10)}')]")

    def bigints(self):
        a, b = self.r.randrange(-10**20, 10**20), self.r.randrange(1, 10**9)
        self.emit(f"[{a}n {self.pick('+', '-', '*', '/', '%')} {b}n, ({a}n) >> 7n, BigInt.asUintN(64, {a}n), {b}n ** 3n, {a}n < {self.small()}, Number({a}n), ({a}n).toString(36)]")

    def typed(self):
        kind = self.pick("Uint8Array", "Int16Array", "Float32Array", "Float64Array", "Uint8ClampedArray", "Int32Array")
        self.emit(f"[...{kind}.from({self.array(1)}.map(Number))]")

    def proxies(self):
        p = self.new("p")
        self.line(f"const {p} = new Proxy({self.object(1)}, {{ get: (t, k) => k in t ? t[k] : `no ${{String(k)}}`, has: () => {self.boolean(0)}, ownKeys: () => ['a', 'b'] }});")
        self.emit(f"[{p}.a, {p}.zzz, 'q' in {p}, Reflect.ownKeys({p})]")

    def logging(self):
        self.line("console.log(" + ", ".join(self.pick(self.small(), self.string(1), "null", "undefined", "[1, 'a', null]", "{ a: 1, b: 'x' }", "new Set([1])",
                                                          "new Map([['k', 1]])", "[[1, [2]], {}]", "-0", "1e21", "10n", "() => 1", "class Q {}", "Symbol('s')", "{ f() {}, get g() { return 1; } }",
                                                          "[undefined, , 3]", "new Date(0)", "/r/g", "true", "'100%'", "{ 'a-b': [] }", "Object.create(null)", "[new Map()]", "'it\\'s'", "['it\\'s \"q\"', `b\\``]") for _ in range(self.r.randrange(1, 4))) + ");")

    # --- Errors ---------------------------------------------------------------------------------

    def error_expression(self):
        u = self.new("u")
        return self.pick(
            f"const {u} = null; {u}.prop;", f"const {u} = {{}}; {u}.missing();", f"undeclared_{u};", f"const {u} = {{ a: 1 }}; {u}.a.b.c;",
            f"throw new {self.pick('Error', 'TypeError', 'RangeError', 'SyntaxError')}('thrown ' + {self.string(0)});",
            f"const {u} = 1; {u} = 2;", f"'x'.repeat(-{self.r.randrange(1, 9)});", "new Array(-1);", "[].reduce((p, q) => p + q);", "JSON.parse('{bad');",
            f"(1).toFixed({self.r.randrange(101, 200)});", f"const [{u}] = {self.pick('null', 'undefined', '{}', '5')};", f"const {{ {u} }} = {self.pick('null', 'undefined')};",
            f"for (const {u} of {self.pick('5', '{}', 'null')}) ;", f"Math.max(...{self.pick('5', 'null', 'undefined')});", f"new RegExp('{self.pick('(', '[', '*', 'a{2,1}')}');",
            f"use_{u}; let use_{u} = 1;", "BigInt(1.5);", "1n + 1;", "Symbol() + '';", f"new ({self.pick('5', '{}', '(() => 1)', 'null')})();", "decodeURIComponent('%');",
            f"class {u} {{ }} {u}();", f"'a' in {self.pick(LETTER, '5')};", f"({{}}) instanceof {self.pick('5', '{}')};", f"Object.defineProperty(Object.freeze({{}}), 'a', {{ value: 1 }});",
            f"Object.freeze([1]).push(2);", "null[Symbol.iterator];", f"[3, 1].sort({self.pick('5', LETTER)});", "structuredClone(() => 1);",
            f"({self.array(1)}).map({self.pick('5', 'null', 'undefined')});", "new Date(NaN).toISOString();", "Reflect.construct(5);", f"(void 0).x = {self.number(0)};", "new Set(5);", "Object.fromEntries([1]);",
            "''.normalize('x');", "String.fromCodePoint(-1);", f"const {u} = () => {u}_2(); {u}();", "new Proxy({}, null);", "await Promise.any([]);", "await Promise.reject(new EvalError('e'));")

    def failing(self):
        f = self.new("fail")
        kind = self.r.randrange(7)
        if kind == 0:
            self.line(self.error_expression())
        elif kind in (1, 2):
            arrow = self.pick(f"async function {f}(depth) {{", f"const {f} = async (depth) => {{")
            self.open(arrow)
            self.open("if (depth > 0) {")
            self.line(f"return {self.pick('', 'await ')}{f}(depth - 1);")
            self.close()
            self.line(self.pick("", "await null;"))
            self.line(self.error_expression())
            self.close("};" if arrow.startswith("const") else "}")
            self.line(f"await {f}({self.r.randrange(4)});")
        elif kind == 3:
            self.open(f"[1, 2].{self.pick('map', 'forEach', 'filter', 'some', 'findIndex')}((e) => {{")
            self.line(f"const x = e + {self.small()};")
            self.line(self.error_expression().replace("await Promise", "throw new Error(1); Promise"))
            self.close("});")
        elif kind == 4:
            self.open(f"class {f} extends Error {{")
            self.line(f"constructor(m) {{ super(m); this.name = '{f}'; }}")
            self.close()
            self.line(f"const {f}_e = new {f}('custom');")
            self.line("")
            self.line(f"throw {f}_e;")
        elif kind == 5:
            self.open(f"const {f} = {{")
            self.open("get value() {")
            self.line(self.error_expression().replace("await Promise", "throw new Error(1); Promise"))
            self.line("return 1;")
            self.close("},")
            self.close("};")
            self.line(f"out.push({f}.value);")
        else:
            self.open("await Promise.all([1, 2, 3].map(async (n) => {")
            self.line("if (n === 2) {")
            self.line("  " + self.error_expression())
            self.line("}")
            self.line("return n;")
            self.close("}));")

    BLOCKS = ["expression", "expression", "expression", "loop", "loop", "labelled", "closure", "destructuring", "destructuring", "trying",
              "try_return", "asynchronous", "asynchronous", "generator", "async_generator", "klass", "collections", "sorting", "sorting",
              "regexp", "regexp", "json", "json", "switching", "tagged", "dates", "bigints", "typed", "proxies", "logging", "logging"]

    def program(self):
        self.lines = PRELUDE.splitlines()
        for _ in range(self.r.randrange(2, 7)):
            getattr(self, self.pick(*self.BLOCKS))()
        if self.r.random() < 0.4:
            self.failing()
        self.line("return out;")
        return "\n".join(self.lines) + "\n"


def program(seed):
    return Generator(seed).program()


if __name__ == "__main__":
    import sys
    print(program(int(sys.argv[1])), end="")
