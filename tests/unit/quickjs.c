/* The quickjs provider, without the library around it. */
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/unit/fakehost.h"
#include "tests/unit/test.h"

static const struct pawl_provider *provider;
static void *instance;

static int open_instance(void)
{
    char *why = NULL;
    const struct pawl_sink sink = fakehost_sink(&why);
    const struct pawl_host host = {.header = PAWL_HEADER(HOST, host)};
    provider = pawl_provider_entry_v1();
    const int32_t status = provider->create(&host, "{}", &sink, &instance);
    if (status != PAWL_OK)
        fprintf(stderr, "create: %s\n", why ? why : "?");
    free(why);
    return status;
}

static int close_instance(void)
{
    provider->destroy(instance);
    return 0;
}

/* --- Programs and what comes of them -------------------------------------------------------------
 */

struct expected {
    const char *program;
    const char *kind; /* NULL: it succeeds */
    const char *text; /* the value, or a part of the message */
    uint32_t line, column;
};

static void run_all(const struct expected *list, size_t count, const char *language)
{
    struct fakehost host;
    fakehost_init(&host, language);
    for (size_t i = 0; i < count; i++) {
        const struct expected *e = &list[i];
        CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, e->program, 5000), PAWL_OK);
        char *got = NULL;
        char *want = NULL;
        if (host.kind) {
            const bool same = e->kind && strstr(host.message, e->text);
            if (asprintf(&got, "%s %u:%u %s", host.kind, host.line, host.column,
                         same ? e->text : host.message) < 0 ||
                asprintf(&want, "%s %u:%u %s", e->kind ? e->kind : "value", e->line, e->column,
                         e->text ? e->text : "nothing") < 0)
                abort();
        } else {
            if (asprintf(&got, "%s", host.value ? host.value : "nothing") < 0 ||
                asprintf(&want, "%s%s", e->kind ? e->kind : "", e->text ? e->text : "nothing") < 0)
                abort();
        }
        if (strcmp(got, want) != 0)
            fprintf(stderr, "# program: %s\n", e->program);
        TEST_TEXT(got, want);
        free(got);
        free(want);
    }
    fakehost_release(&host);
}
#define RUN(list) run_all(list, sizeof(list) / sizeof *(list), "javascript")

static void returns_values(void)
{
    static const struct expected list[] = {
        {"return 1 + 1", NULL, "2", 0, 0},
        {"", NULL, NULL, 0, 0},
        {"return undefined", NULL, NULL, 0, 0},
        {"return null", NULL, "null", 0, 0},
        {"return -0", NULL, "-0", 0, 0},
        {"return 1e21", NULL, "1e+21", 0, 0},
        {"return 0.1 + 0.2", NULL, "0.30000000000000004", 0, 0},
        {"return 'a\\u0000\\ud800\\u2028\"'", NULL, "\"a\\u0000\\ud800\u2028\\\"\"", 0, 0},
        {"return {b: 1, a: [true, null], u: undefined}", NULL, "{\"b\":1,\"a\":[true,null]}", 0, 0},
        {"return JSON.parse('{\"__proto__\": 1}')", NULL, "{\"__proto__\":1}", 0, 0},
        {"return new Date(0)", NULL, "\"1970-01-01T00:00:00.000Z\"", 0, 0},
        {"return {toJSON() { return [this.a]; }, a: 5}", NULL, "[5]", 0, 0},
        {"return Object.create(null)", NULL, "{}", 0, 0},
        {"return {a: {toJSON(key) { return key; }}, b: [0, {toJSON(key) { return key; }}]}", NULL,
         "{\"a\":\"a\",\"b\":[0,\"1\"]}", 0, 0},
        {"async function main() { return 5; }", NULL, "5", 0, 0},
        {"async () => 6", NULL, "6", 0, 0},
        {"export default async function () { return 7; }", NULL, "7", 0, 0},
        {"```js\nreturn 8;\n```", NULL, "8", 0, 0},
        {"const f = (n) => n ? 1 + f(n - 1) : 0; return f(5000)", NULL, "5000", 0, 0},
        {"const x = await Promise.resolve(3); return x ** 2", NULL, "9", 0, 0},
        {"let s = 0; for (const [k, v] of new Map([[1, 2], [3, 4]])) s += k * v; return s", NULL,
         "14", 0, 0},
    };
    RUN(list);
}

static void refuses_lossy_values(void)
{
    static const struct expected list[] = {
        {"return {a: [1, {b: NaN}]}", "bad_result", "value.a[1].b is NaN", 0, 0},
        {"return -Infinity", "bad_result", "value is -Infinity", 0, 0},
        {"return new Map()", "bad_result", "value is a Map", 0, 0},
        {"return [new Set()]", "bad_result", "value[0] is a Set", 0, 0},
        {"return {f() {}}", "bad_result", "value.f is a function", 0, 0},
        {"return 1n", "bad_result", "value is a BigInt", 0, 0},
        {"return Symbol()", "bad_result", "value is a symbol", 0, 0},
        {"return [1, , 2]", "bad_result",
         "value[1] is a hole: the array is sparse, it has no element at 1", 0, 0},
        {"return [undefined]", "bad_result", "value[0] is undefined", 0, 0},
        {"return Object.assign([1], {x: 1})", "bad_result",
         "value.x is an extra property of an array", 0, 0},
        {"return {[Symbol.iterator]: 1}", "bad_result", "named by a symbol", 0, 0},
        {"return Object.defineProperty({}, 'a', {value: 1})", "bad_result",
         "value.a is not enumerable", 0, 0},
        {"return new Proxy({}, {})", "bad_result", "value is a Proxy", 0, 0},
        {"return new Uint8Array(2)", "bad_result", "value is a Uint8Array", 0, 0},
        {"return new (class Point { x = 1 })()", "bad_result", "value is a Point", 0, 0},
        {"const o = {}; o.o = [o]; return o", "bad_result", "value.o[0] contains itself (a cycle)",
         0, 0},
        {"return {get a() { throw new RangeError('g'); }}", "runtime", "RangeError: g", 1, 25},
    };
    RUN(list);
}

/* What suggestions are looked up by. */
static void names_what_is_no_json(void)
{
    static const char *const list[][2] = {
        {"return [1, , 2]", "sparse"},
        {"return Object.assign([1], {x: 1})", "extra"},
        {"const o = {}; o.o = [o]; return o", "cycle"},
        {"return 1n", "bigint"},
        {"class P {} return new P()", "instance"},
        {"return Symbol()", "symbol"},
        {"return {f() {}}", "function"},
        {"return [undefined]", "undefined"},
        {"return [NaN]", "NaN"},
        {"return [1 / 0]", "Infinity"},
        {"let a = []; for (let i = 0; i < 60000; i++) a = [a]; return a", "depth"},
        {"return new Proxy({}, {})", "proxy"},
        {"return new Map()", "Map"},
        {"return {p: [tools.echo(1)]}", "Promise"},
        {"class E extends TypeError {} return new E()", "Error"},
        {"return [1].values()", "iterator"},
        {"return (function* () {})()", "iterator"},
        {"return /x/", "RegExp"},
        {"return new Float32Array(1)", "Float32Array"},
    };
    struct fakehost host;
    fakehost_init(&host, "javascript");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, list[i][0], 60000), PAWL_OK);
        TEST_TEXT(host.kind, "bad_result");
        TEST_TEXT(host.subject, list[i][1]);
    }
    fakehost_release(&host);
}

static void shows_stacks(void)
{
    static const struct expected list[] = {
        {"const e = new TypeError('no'); return e.stack", NULL,
         "\"TypeError: no\\n    at <anonymous> (program:1:15)\"", 0, 0},
        {"const f = () => { throw Error() };\ntry { f() } catch (e) { return e.stack }", NULL,
         "\"Error\\n    at f (program:1:24)\\n    at <anonymous> (program:2:7)\"", 0, 0},
        {"try { await tools.fail('x') } catch (e) { return e.stack }", NULL,
         "\"ToolCallError: \\\"x\\\"\\n    at <anonymous> (program:1:18)\"", 0, 0},
        {"await tools.fail('x')", "runtime", "ToolCallError: \"x\"", 1, 13},
        {"throw structuredClone(new RangeError('c'))", "runtime", "RangeError: c", 1, 23},
        {"const e = new Error('a'); e.stack = 'mine'; return e.stack", NULL, "\"mine\"", 0, 0},
    };
    RUN(list);
}

static void collates(void)
{
    static const struct expected list[] = {
        {"return ['Zoe', 'adam', 'Émile', 'eve', 'Bob', '10', '9', '_x', 'a-b', 'a', 'A', "
         "'résumé', "
         "'resume', 'Resume', 'straße', 'strasse'].sort((a, b) => a.localeCompare(b)).join(' ')",
         NULL, "\"_x 10 9 a A a-b adam Bob Émile eve resume Resume résumé strasse straße Zoe\"", 0,
         0},
        {"return ['n10', 'n9', 'n010'].sort(new Intl.Collator('en', {numeric: true}).compare)",
         NULL, "[\"n9\",\"n10\",\"n010\"]", 0, 0},
        {"return ['a'.localeCompare('Á', 'en', {sensitivity: 'base'}), 'a'.localeCompare('b'), "
         "'\\u212b'.localeCompare('A\\u030a'), ''.localeCompare.length]",
         NULL, "[0,-1,0,1]", 0, 0},
        {"'a'.localeCompare('b', 'en', {sensitivity: 'x'})", "runtime", "RangeError", 1, 5},
    };
    RUN(list);
}

static void names_the_true_place(void)
{
    static const struct expected list[] = {
        {"const a = 1;\nreturn foo;", "runtime", "foo is not defined", 2, 8},
        {"const a = 1;\n\n  b; let b = 2;", "runtime", "b is not initialized", 3, 3},
        {"const a = null;\nreturn a\n  .x;", "runtime", "'x' of null", 3, 4},
        {"const o = {};\no.foo(\n  1);", "runtime", "o.foo is not a function", 2, 3},
        {"function f() {\n  return null.x;\n}\nf();", "runtime", "'x' of null", 2, 15},
        {"let s = `a\n${ null.foo }`;", "runtime", "'foo' of null", 2, 9},
        {"\nconst [a] = undefined;", "runtime", "undefined is not iterable", 2, 7},
        {"async function g() {\n  await 1;\n  throw new Error('x');\n}\nawait g();", "runtime",
         "Error: x", 3, 9},
        {"class A { #p; static f(o) {\n  return o.#p; } }\nA.f({});", "runtime", "#p", 2, 12},
        {"\nnew RegExp('(');", "runtime", "SyntaxError", 2, 5},
        {"await tools.fail(\n  1);", "runtime", "ToolCallError: 1", 1, 13},
        {"throw 'text'", "runtime", "threw the string 'text'", 0, 0},
        {"throw {a: 1}", "runtime", "threw { a: 1 }", 0, 0},
        {"```js\nfoo();\n```", "runtime", "foo is not defined", 2, 1},
        {"let a = ;", "syntax", "unexpected `;`", 1, 9},
        {"f(() => {\n  g(1;\n})", "syntax", "unexpected `;`", 2, 6},
        {"if (a) {\n  b();", "syntax", "before the `{` of line 1 is closed", 1, 8},
        {"const a = 1;\nconst a = 2;", "syntax", "`a` is declared twice", 2, 7},
        {"1;\n/(/", "syntax", "regular expression", 2, 1},
        {"import x from 'y'", "syntax", "import", 1, 1},
        {"const fs = require('fs')", "syntax", "require", 1, 12},
        {"enum A { B }", "syntax", "enum", 1, 1},
        {"}); (async function () {", "syntax", "nothing is open that it closes", 1, 1},
    };
    RUN(list);
}

static void awaits_and_settles(void)
{
    static const struct expected list[] = {
        {"return await Promise.all([tools.echo(1), tools.echo({a: [2]})])", NULL, "[1,{\"a\":[2]}]",
         0, 0},
        {"try { await tools.fail('no') } catch (e) { return [e instanceof ToolCallError, e.name, "
         "e.message, e.code, e.toolName] }",
         NULL, "[true,\"ToolCallError\",\"\\\"no\\\"\",\"tool_error\",\"fail\"]", 0, 0},
        {"try { await tools.echo(() => 1) } catch (e) { return [e.code, e.message] }", NULL,
         "[\"bad_arguments\",\"tools.echo: arguments[0] is a function\"]", 0, 0},
        {"return await new Promise(() => {})", "pending", "nothing can settle", 0, 0},
        {"await tools.deny()", "runtime", "ToolCallError", 1, 13},
        {"Promise.reject(new TypeError('lost')); return 1", "runtime", "TypeError: lost", 1, 16},
        {"const p = Promise.reject(1); await tools.echo(1); p.catch(() => {}); return 2", NULL, "2",
         0, 0},
        {"queueMicrotask(() => { throw new Error('m') }); await tools.echo(1)", "runtime",
         "Error: m", 1, 30},
        {"return await new Promise(r => setTimeout(r, 1, 'timed'))", NULL, "\"timed\"", 0, 0},
        {"let n = 0; await new Promise(r => { const i = setInterval(() => { if (++n === 3) { "
         "clearInterval(i); r() } }, 1) }); return n",
         NULL, "3", 0, 0},
        {"setTimeout(() => { throw new Error('never') }, 100000); return 1", NULL, "1", 0, 0},
        {"const order = []; setTimeout(() => order.push('b'), 2); setTimeout(() => "
         "order.push('a'), "
         "1); await new Promise(r => setTimeout(r, 5)); return order",
         NULL, "[\"a\",\"b\"]", 0, 0},
    };
    RUN(list);
}

static void erases_types(void)
{
    static const struct expected list[] = {
        {"interface A { a: number }\nconst x: A = {a: 1};\nreturn x.a as number", NULL, "1", 0, 0},
        {"type T = string;\nconst f = <U,>(u: U): U => u;\nreturn f<T>('a')!", NULL, "\"a\"", 0, 0},
        {"type T = {\n  a: string;\n};\nconst t: T = {a: 'x'};\nfoo(t);", "runtime",
         "foo is not defined", 5, 1},
        {"let n: number = 1; foo(n);", "runtime", "foo is not defined", 1, 0},
        {"const n: number = await tools.echo(2);\nreturn n + 1;", NULL, "3", 0, 0},
        {"let a: = 1;", "syntax", "SyntaxError", 1, 6},
        {"namespace N { export const a = 1 }", "syntax", "namespace", 1, 1},
    };
    RUN(list);
}

static void runs_es5(void)
{
    static const struct expected list[] = {
        {"var x = tools.echo(1); return x + 1", NULL, "2", 0, 0},
        {"var x = await tools.echo(1); return x + 1", NULL, "2", 0, 0},
        {"try { tools.fail('no') } catch (e) { return e.code }", NULL, "\"tool_error\"", 0, 0},
        {"x = 5; return x", NULL, "5", 0, 0},
        {"return typeof this", NULL, "\"object\"", 0, 0},
    };
    run_all(list, sizeof list / sizeof *list, "javascript-es5");
}

/* --- Limits --------------------------------------------------------------------------------------
 */

static int32_t no_log(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return PAWL_E_SYSTEM;
}

static int32_t no_clock(void *context, int64_t *time)
{
    (void)context, (void)time;
    return PAWL_E_SYSTEM;
}

static int32_t no_random(void *context, void *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return PAWL_E_SYSTEM;
}

static int32_t no_next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    (void)context, (void)timeout, (void)settlement;
    return PAWL_E_SYSTEM;
}

/* The program does not go on with what it did not get, and it is not what is at fault. */
static void stops_when_the_host_fails(void)
{
    static const char *const programs[] = {
        "console.log('x'); return 1",
        "return Date.now()",
        "return Math.random()",
        "return await tools.echo(1)",
        "await new Promise(done => setTimeout(done, 1)); return 1",
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct fakehost host;
        fakehost_init(&host, "javascript");
        host.run.log = no_log;
        host.run.clock = no_clock;
        host.run.random = no_random;
        host.run.next = no_next;
        CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, programs[i], 5000), PAWL_E_SYSTEM);
        TEST_TEXT(host.why, "a service of the host failed");
        CU_ASSERT_EQUAL(host.ends, 0);
        fakehost_release(&host);
    }
}

static void ends_at_the_deadline(void)
{
    static const char *const programs[] = {
        "while (true) {}",
        "try { while (true) {} } catch { } finally { console.log('no') }",
        "const a = []; a.length = 4e9; a.indexOf(1)",
        "/(a+)+b/.test('a'.repeat(40))",
        "await tools.wait()",
        "await new Promise(r => setTimeout(r, 100000))",
        "Array.prototype.join.call({length: 4294967295})",
    };
    struct fakehost host;
    fakehost_init(&host, "javascript");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, programs[i], 30), PAWL_OK);
        CU_ASSERT_EQUAL(host.ends, 0);
        TEST_TEXT(host.logs ? host.logs : "", "");
    }
    CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, "return 1", 5000), PAWL_OK);
    TEST_TEXT(host.value, "1");
    fakehost_release(&host);
}

static void ends_when_memory_is_used_up(void)
{
    static const char *const programs[] = {
        "const a = []; while (true) a.push('x'.repeat(1000) + a.length)",
        "try { const a = []; while (true) a.push([1]) } catch { return 'caught' }",
        "return new ArrayBuffer(100000000).byteLength",
        "return 'x'.repeat(100000000).length",
    };
    struct fakehost host;
    fakehost_init(&host, "javascript");
    host.budget.max_memory = 8 << 20;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, programs[i], 5000), PAWL_OK);
        TEST_TEXT(host.kind ? host.kind : host.value, "budget_memory");
    }
    CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, "return [1]", 5000), PAWL_OK);
    TEST_TEXT(host.value, "[1]");
    fakehost_release(&host);
}

static void overflows_its_stack_catchably(void)
{
    static const struct expected list[] = {
        {"function f() { return 1 + f(); } try { f() } catch (e) { return e instanceof RangeError "
         "}",
         NULL, "true", 0, 0},
        {"let n = 0; function f() { n++; [1].map(f); } try { f() } catch { return n > 1000 }", NULL,
         "true", 0, 0},
        {"let a = []; for (let i = 0; i < 5000; i++) a = [a]; return (await tools.echo(a)).length",
         NULL, "1", 0, 0},
        {"try { eval('('.repeat(100000)) } catch (e) { return [e instanceof RangeError, (function "
         "f(n) "
         "{ return n ? 1 + f(n - 1) : 0 })(5000)] }",
         NULL, "[true,5000]", 0, 0},
        {"let a = {}; for (let i = 0; i < 200000; i++) a = {a}; a = null; return 1", NULL, "1", 0,
         0},
    };
    RUN(list);
}

/* --- Isolation -----------------------------------------------------------------------------------
 */

static void forgets_between_runs(void)
{
    struct fakehost host;
    fakehost_init(&host, "javascript");
    fakehost_run(&host, provider, instance,
                 "globalThis.left = 1; Array.prototype.map = null; Object.prototype.x = 1; "
                 "JSON.stringify = () => 'no'; Promise.prototype.then = null; return {a: 1}",
                 5000);
    fakehost_run(&host, provider, instance,
                 "return [typeof left, typeof [].map, typeof ({}).x, JSON.stringify(1), await 2]",
                 5000);
    TEST_TEXT(host.value ? host.value : host.message,
              "[\"undefined\",\"function\",\"undefined\",\"1\",2]");
    fakehost_release(&host);
}

static void survives_changed_built_ins(void)
{
    static const struct expected list[] = {
        {"const map = new Map([[1, 2]]), {getOwnPropertyNames} = Object; for (const c of [Object, "
         "Array, String, RegExp, "
         "Map, Set, Promise, Error, Function, "
         "Reflect, JSON]) for (const o of [c, c.prototype]) if (o) for (const k of "
         "getOwnPropertyNames(o)) { if (k !== 'prototype' && k !== 'constructor') try { "
         "o[k] = () => { throw 1 } } catch {} }\nconsole.log({a: [1]}, map); return "
         "{a: [1, 'b']}",
         NULL, "{\"a\":[1,\"b\"]}", 0, 0},
        {"Object.prototype.toJSON = () => 5; return {a: 1}", NULL, "5", 0, 0},
        {"Error.prepareStackTrace = () => 5; throw new Error('x')", "runtime", "Error: x", 0, 0},
        {"Object.defineProperty(Error.prototype, 'message', {get() { throw 1 }}); null.x",
         "runtime", "cannot read property", 1, 78},
    };
    RUN(list);
}

/* Everything that a program finds. What is added to this list must be meant to be there. */
static void has_these_globals(void)
{
    static const struct expected list[] = {
        {"const known = new Set(`Object Function Error EvalError RangeError ReferenceError "
         "SyntaxError TypeError URIError InternalError AggregateError SuppressedError Iterator "
         "Array parseInt parseFloat isNaN isFinite queueMicrotask decodeURI decodeURIComponent "
         "encodeURI encodeURIComponent escape unescape Infinity NaN undefined eval Number Boolean "
         "String Math Reflect Symbol DisposableStack globalThis BigInt Date RegExp JSON Proxy Map "
         "Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray Int8Array "
         "Uint8Array Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array "
         "Float16Array Float32Array Float64Array DataView Promise AsyncDisposableStack WeakRef "
         "FinalizationRegistry DOMException btoa atob performance console setTimeout setInterval "
         "clearTimeout clearInterval TextEncoder TextDecoder URL URLSearchParams "
         "structuredClone Intl Atomics tools other ToolCallError`.split(' ')); return "
         "Reflect.ownKeys(globalThis).map(String).filter(k => !known.delete(k)).concat([...known])",
         NULL, "[\"Symbol(Symbol.toStringTag)\"]", 0, 0},
    };
    RUN(list);
}

static void *run_many(void *failed)
{
    struct fakehost host;
    fakehost_init(&host, "javascript");
    for (int i = 0; i < 200; i++) {
        char program[128];
        char expected[64];
        snprintf(program, sizeof program,
                 "let s = 0; for (let i = 0; i < %d; i++) s += await tools.echo(i); return s",
                 i % 40);
        snprintf(expected, sizeof expected, "%d", (i % 40) * (i % 40 - 1) / 2);
        fakehost_run(&host, provider, instance, program, 10000);
        if (!host.value || strcmp(host.value, expected) != 0)
            __atomic_store_n((int *)failed, 1, __ATOMIC_SEQ_CST);
    }
    fakehost_release(&host);
    return NULL;
}

static void runs_on_many_threads(void)
{
    pthread_t threads[16];
    int failed = 0;
    for (size_t i = 0; i < 16; i++)
        CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, run_many, &failed), 0);
    for (size_t i = 0; i < 16; i++)
        pthread_join(threads[i], NULL);
    CU_ASSERT_EQUAL(failed, 0);
}

/* --- The host's own memory -----------------------------------------------------------------------
 */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);

/* The allocation that fails, counted down on this thread; negative: none does. */
static __thread long until_failure = -1;

static bool fails(void)
{
    return until_failure >= 0 && until_failure-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return fails() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}

static void forget_text(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
}

static int32_t forget_fact(void *context, const char *name, const char *json, size_t size)
{
    (void)context, (void)name, (void)json, (void)size;
    return PAWL_OK;
}

static int32_t forget_log(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return PAWL_OK;
}

static int32_t count_value(void *context, const char *json, size_t size)
{
    (void)json, (void)size;
    ((struct fakehost *)context)->ends++;
    return PAWL_OK;
}

static int32_t count_failure(void *context, const struct pawl_failure *failure)
{
    (void)failure;
    ((struct fakehost *)context)->ends++;
    return PAWL_OK;
}

/* One allocation of the provider fails, another one each time, until a run needs no more than that.
 */
static void survives_without_memory(void)
{
    static const char *const programs[] = {
        "console.log(1); return [{a: 'x'.repeat(3000)}, [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]",
        "setTimeout(() => 1, 1); Promise.reject(1).catch(() => 1); await 1",
        "let a = ;",
        "const x: number = 1; return x",
        "null.x",
    };
    const struct pawl_sink why = {PAWL_HEADER(SINK, why), NULL, forget_text};
    const struct pawl_host none = {.header = PAWL_HEADER(HOST, none)};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct fakehost host;
        fakehost_init(&host, "javascript");
        host.run.fact = forget_fact;
        host.run.log = forget_log;
        host.run.value = count_value;
        host.run.fail = count_failure;
        host.run.program = (struct pawl_text){programs[i], (uint32_t)strlen(programs[i]), 0};
        bool reached = true;
        long allocation = 0;
        for (; reached && allocation < 1000; allocation++) {
            void *made = NULL;
            host.ends = 0;
            until_failure = allocation;
            int32_t status = provider->create(&none, "{}", &why, &made);
            if (status == PAWL_OK)
                status = provider->run(made, &host.run, &why);
            reached = until_failure < 0;
            until_failure = -1;
            if (made)
                provider->destroy(made);
            CU_ASSERT_EQUAL(host.ends, status == PAWL_OK);
        }
        CU_ASSERT(allocation > 5 && allocation < 1000);
        fakehost_release(&host);
    }
}

static long resident_pages(void)
{
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%ld %ld", &size, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return resident;
}

/* PAWL_RUNS: how many; each fourth of them is of one kind. */
static void does_not_grow(void)
{
    static const char *const programs[] = {
        "const a = []; for (let i = 0; i < 2000; i++) a.push({i}); return a.length",
        "await Promise.all([tools.echo(1), tools.fail(2)])",
        "return (",
        "const a = []; while (true) a.push([a])",
    };
    const char *wanted = getenv("PAWL_RUNS");
    const int count = wanted ? atoi(wanted) : 4000;
    const int first = count / 5;
    struct fakehost host;
    fakehost_init(&host, "javascript");
    host.budget.max_memory = 2 << 20;
    long before = 0;
    size_t heap_before = 0;
    for (int i = 0; i < count; i++) {
        if (i == first) {
            before = resident_pages();
            heap_before = mallinfo2().uordblks;
        }
        fakehost_run(&host, provider, instance, programs[i % 4], 5000);
    }
    const long grown = (long)(mallinfo2().uordblks - heap_before);
    /* A sanitizer keeps what was freed; it finds leaks by itself. */
    if (!getenv("SANITIZE") || getenv("SANITIZE")[0] == '\0')
        CU_ASSERT(resident_pages() - before < 200);
    CU_ASSERT(grown < 16 * 1024);
    fakehost_release(&host);
}

static void refuses_configuration(void)
{
    static const char *const wrong[] = {"{\"a\":1}", "[]", "{\"signal\":9}", "", "{}x"};
    const struct pawl_host host = {.header = PAWL_HEADER(HOST, host)};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *why = NULL;
        const struct pawl_sink sink = fakehost_sink(&why);
        void *made;
        CU_ASSERT_EQUAL(provider->create(&host, wrong[i], &sink, &made), PAWL_E_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(why);
        free(why);
    }
}

static void logs(void)
{
    struct fakehost host;
    fakehost_init(&host, "javascript");
    fakehost_run(
        &host, provider, instance,
        "console.log('a %s', 'b', 1, [1, 'x'], {a: {b: new Map([[1, new Set(['s'])]])}});"
        "console.error(new TypeError('bad')); console.info(null, undefined, 1n, Symbol('q'));"
        "const c = {n: 1}; c.self = c; console.log(c); console.log(-0, [undefined, , 3]);"
        "console.log(class A {}, function f() {}, () => 1); console.log('%d%%', 5)",
        5000);
    TEST_TEXT(host.logs ? host.logs : "",
              "a b 1 [ 1, 'x' ] { a: { b: Map(1) { 1 => Set(1) { 's' } } } }\n"
              "TypeError: bad\n"
              "null undefined 1n Symbol(q)\n"
              "{ n: 1, self: [Circular] }\n"
              "-0 [ undefined, <1 empty item>, 3 ]\n"
              "[class A] [Function: f] [Function (anonymous)]\n"
              "5%\n");
    fakehost_release(&host);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"returns values", returns_values},
        {"refuses lossy values", refuses_lossy_values},
        {"shows stacks", shows_stacks},
        {"collates", collates},
        {"names what is no JSON", names_what_is_no_json},
        {"names the true place", names_the_true_place},
        {"awaits and settles", awaits_and_settles},
        {"erases types", erases_types},
        {"runs javascript-es5", runs_es5},
        {"logs", logs},
        {"stops when the host fails", stops_when_the_host_fails},
        {"ends at the deadline", ends_at_the_deadline},
        {"ends when memory is used up", ends_when_memory_is_used_up},
        {"overflows its stack catchably", overflows_its_stack_catchably},
        {"forgets between runs", forgets_between_runs},
        {"survives changed built-ins", survives_changed_built_ins},
        {"has these globals", has_these_globals},
        {"runs on many threads", runs_on_many_threads},
        {"survives without memory", survives_without_memory},
        {"does not grow", does_not_grow},
        {"refuses configuration", refuses_configuration},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {
        {"quickjs", open_instance, close_instance, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return test_main(suites);
}
