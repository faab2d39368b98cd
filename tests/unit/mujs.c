/* Unit tests of the provider mujs, with a host that is not the library. */
#include "tests/unit/fakehost.h"
#include "tests/unit/signals.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const struct pawl_provider *provider;
static void *instance;
static struct fakehost host;

static int set_up(void)
{
    char *text = NULL;
    struct pawl_sink why = fakehost_sink(&text);

    provider = pawl_provider_entry_v1();
    fakehost_init(&host, "javascript-es5");
    return provider->create(NULL, "{}", &why, &instance) != PAWL_OK;
}

static int tear_down(void)
{
    fakehost_release(&host);
    provider->destroy(instance);
    return 0;
}

static void run(const char *program)
{
    CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, program, 0), PAWL_OK);
}

/* TEST_TEXT for what may be absent. */
static void same(const char *actual, const char *expected, unsigned line)
{
    test_text(actual != NULL ? actual : "(none)", expected != NULL ? expected : "(none)", __FILE__,
              line);
}

#define SAME(actual, expected) same((actual), (expected), __LINE__)

/* --- Values -------------------------------------------------------------------------------- */

static const struct {
    const char *program, *value; /* NULL: none */
} values[] = {
    {"", NULL},
    {"   \n// nothing\n", NULL},
    {"return", NULL},
    {"return undefined", NULL},
    {"return null", "null"},
    {"return 6 * 7", "42"},
    {"return [1, 'a', true, null, {x: {y: []}}]", "[1,\"a\",true,null,{\"x\":{\"y\":[]}}]"},
    {"return this === undefined", "true"},
    {"await tools.echo(1); return await tools.echo(2)", "2"},
    {"```js\nreturn 5\n```", "5"},
    {"function main() { return 7 }", "7"},
    {"\xef\xbb\xbfreturn 1\r\n", "1"},
    {"return (function () { try { undeclared = 1 } catch (e) { return e.name } })()",
     "\"ReferenceError\""},

    /* JSON that crosses. */
    {"return {b: 1, a: 2, 10: 3, 9: 4}", "{\"9\":4,\"10\":3,\"b\":1,\"a\":2}"},
    {"return {a: undefined, b: 1}", "{\"b\":1}"},
    {"return [-0, 0, 1e21, 1e-7, 0.1 + 0.2, 123456789012345680000]",
     "[-0,0,1e+21,1e-7,0.30000000000000004,123456789012345680000]"},
    {"return new Date(0)", "\"1970-01-01T00:00:00.000Z\""},
    {"return {toJSON: function () { return [1] }}", "[1]"},
    {"return {toJSON: function () { return undefined }}", NULL},
    {"var o = Object.create(null); o.__proto__ = 1; o.toString = 2; return o",
     "{\"__proto__\":1,\"toString\":2}"},
    {"return '\\u0000\\ud800x\\udc00\\ud83d\\ude00\\u00e9'",
     "\"\\u0000\\ud800x\\udc00\xf0\x9f\x98\x80\xc3\xa9\""},
    {"return '\xf0\x9f\x98\x80'.length", "2"},
    {"return '\xf0\x9f\x98\x80' === '\\ud83d\\ude00'", "true"},
    {"Object.prototype.toJSON = undefined; JSON.stringify = null; Array.prototype.push = null;"
     "Object.getPrototypeOf = null; Object.keys = null; Function.prototype.call = null;"
     "Object.getOwnPropertyNames = null; return {a: [1]}",
     "{\"a\":[1]}"},
    {"var a = new Array(3); a[0] = 1; a[2] = 3; a[1] = 2; return a", "[1,2,3]"},

    /* Calls. */
    {"return tools.echo({a: [1, {b: 'x'}]})", "{\"a\":[1,{\"b\":\"x\"}]}"},
    {"return tools['to-list'](1, undefined)", "[1]"},
    {"return tools.to_list()", "[]"},
    {"return tools.echo('\\ud83d') + tools.echo('\\u0000').length", "\"\\ud83d1\""},
    {"return Object.keys(tools.echo({z: 1, a: 2}))", "[\"z\",\"a\"]"},
    {"return Object.getPrototypeOf(tools) === null && 'echo' in tools && !('toString' in tools)",
     "true"},
    {"try { tools.fail('x') } catch (e) { return [e.name, e.message, e.code, e.toolName,"
     "e instanceof ToolCallError, e instanceof Error, String(e)] }",
     "[\"ToolCallError\",\"\\\"x\\\"\",\"tool_error\",\"fail\",true,true,"
     "\"ToolCallError: \\\"x\\\"\"]"},
    {"try { tools.deny() } catch (e) { return [e.code, e.message] }",
     "[\"stage_denied\",\"not allowed\"]"},
    {"try { tools.broken() } catch (e) { return e.code }", "\"stage_failed\""},
    {"try { tools.echo(function () {}) } catch (e) { return [e.code, e.message] }",
     "[\"bad_arguments\",\"tools.echo: arguments[0] is a function\"]"},
    {"var e = new ToolCallError('m'); return [e.name, e.message, e instanceof Error]",
     "[\"ToolCallError\",\"m\",true]"},
    {"return typeof discover", "\"undefined\""},

    /* Built-ins that stand in the place of libmujs's. */
    {"var a = [{k: 1, v: 'a'}, {k: 0, v: 'b'}, {k: 1, v: 'c'}, {k: 0, v: 'd'}, {k: 1, v: 'e'},"
     "{k: 0, v: 'f'}, {k: 1, v: 'g'}, {k: 0, v: 'h'}, {k: 1, v: 'i'}, {k: 0, v: 'j'}];"
     "return a.sort(function (x, y) { return x.k - y.k }).map(function (x) { return x.v })"
     ".join('')",
     "\"bdfhjacegi\""},
    {"return [3, undefined, 10, 1, , 2].sort().length", "6"},
    {"return [10, 9, 1].sort()", "[1,10,9]"},
    {"var a = [1, 2, 3]; return [a.shift(), a.pop(), a, [].shift() === undefined]",
     "[1,3,[2],true]"},
    {"var a = [1, 2, 3, 4]; var r = a.splice(1, 2, 'x', 'y', 'z'); return [a, r]",
     "[[1,\"x\",\"y\",\"z\",4],[2,3]]"},
    {"var a = [1, 2, 3, 4]; var r = a.splice(-3, 2); return [a, r]", "[[1,4],[2,3]]"},
    {"var a = [1, 2, 3]; return [a.splice(1), a, a.unshift(8, 9), a]", "[[2,3],[8,9,1],3,[8,9,1]]"},
    {"return [0.1 + 0.2, 1 / 3].join(' ')", "\"0.30000000000000004 0.3333333333333333\""},
    {"return [String(1.1 + 2.2), (1e21).toString(), (255).toString(16), (-0).toString()]",
     "[\"3.3000000000000003\",\"1e+21\",\"ff\",\"0\"]"},
    {"return [(1.25).toFixed(1), (1.005).toFixed(2), (-1.5).toFixed(0), (0).toFixed(2),"
     "(1e21).toFixed(2), (9.995).toFixed(2), (99.5).toFixed(0), (-999.5).toFixed(0)]",
     "[\"1.3\",\"1.00\",\"-2\",\"0.00\",\"1e+21\",\"9.99\",\"100\",\"-1000\"]"},
    {"return [(1).toPrecision(3), (1234.5).toPrecision(2), (0.00001).toPrecision(1),"
     "(12345).toExponential(), (0).toExponential(2)]",
     "[\"1.00\",\"1.2e+3\",\"0.00001\",\"1.2345e+4\",\"0.00e+0\"]"},
    {"return [Number('0.12345678901234567'), Number(' 12 '), Number(''), Number('0x10'),"
     "parseFloat('1.5kg'), parseFloat('-.5'), isNaN(Number('1 2')), isNaN(parseFloat('x'))]",
     "[0.12345678901234566,12,0,16,1.5,-0.5,true,true]"},
    {"return JSON.stringify({b: [1, {c: undefined}], a: 'x\\n'}, null, 2)",
     "\"{\\n  \\\"b\\\": [\\n    1,\\n    {}\\n  ],\\n  \\\"a\\\": \\\"x\\\\n\\\"\\n}\""},
    {"return JSON.stringify({a: 1, b: 2, c: 3}, ['c', 'a'])", "\"{\\\"c\\\":3,\\\"a\\\":1}\""},
    {"return JSON.stringify({a: [1, 2]}, function (k, v) { return v === 2 ? undefined : v })",
     "\"{\\\"a\\\":[1,null]}\""},
    {"return [JSON.stringify(undefined) === undefined, JSON.stringify([undefined, NaN, -0])]",
     "[true,\"[null,null,0]\"]"},
    {"return JSON.stringify(new Error('x')) + JSON.stringify(new Number(3))", "\"{}3\""},
    {"return JSON.parse(' {\"a\": [1, -0.5e1, \"\\\\u00e9\"], \"__proto__\": null} ')",
     "{\"a\":[1,-5,\"\xc3\xa9\"],\"__proto__\":null}"},
    {"return JSON.parse('[1,2]', function (k, v) { return typeof v === 'number' ? v * 2 : v })",
     "[2,4]"},
    {"return ['1 2', '[1,]', '{\"a\" 1}', '', '01', '\"\\t\"', '{a:1}', '[1 2]', 'nul', '1.']"
     ".map(function (t) { try { JSON.parse(t); return 'accepted' } catch (e) { return e.name } })"
     ".filter(function (n) { return n !== 'SyntaxError' })",
     "[]"},
    {"return [Date.now(), new Date().getTime(), typeof Date(), new Date(2020, 0, 1) instanceof "
     "Date]",
     "[1700000000123,1700000000123,\"string\",true]"},
    {"var a = Math.random(), b = Math.random(); return a >= 0 && a < 1 && a !== b", "true"},
    {"return [encodeURIComponent('a b&\xc3\xa9\xf0\x9f\x98\x80'), "
     "decodeURIComponent('%F0%9F%98%80')"
     ".length, decodeURI('%2F%C3%A9')]",
     "[\"a%20b%26%C3%A9%F0%9F%98%80\",2,\"%2F\xc3\xa9\"]"},
    {"return ['%', '%zz', '%ff', '%C3'].map(function (t) { try { return decodeURIComponent(t) } "
     "catch (e) { return e.name } })",
     "[\"URIError\",\"URIError\",\"URIError\",\"URIError\"]"},
    {"return ['\\u00a0 x\\ufeff'.trim(), String.fromCharCode(0x1f600, 0).length, 'a'.concat(0.1)]",
     "[\"x\",2,\"a0.1\"]"},
    {"return ['abcdef'.substr(-3, 2), 'abc'.includes('b'), 'abc'.startsWith('ab'),"
     "'abc'.endsWith('bc'), 'ab'.repeat(3), '5'.padStart(3, '0'), [1, 2].includes(2),"
     "[1, 2, 3].find(function (x) { return x > 1 }), Object.values({a: 1}),"
     "Object.entries({b: 2}), Object.assign({}, {c: 3}), [[1], [2]].flat()]",
     "[\"de\",true,true,true,\"ababab\",\"005\",true,2,[1],[[\"b\",2]],{\"c\":3},[1,2]]"},
    {"function f() { return new Error('x') }\nvar e = f();\nreturn e.stack",
     "\"Error: x\\n    at f (line 1)\\n    at line 2\""},
    {"return Object.getOwnPropertyNames({b: 1, a: 2})", "[\"b\",\"a\"]"},
    {"var n = []; for (var k in [1, 2]) n.push(k); for (k in {z: 1, a: 2}) n.push(k); return n",
     "[\"0\",\"1\",\"z\",\"a\"]"},
    {"var o = {d: 1, c: 2, b: 3}, n = [], t = {};\nfor (t.k in o) { if (t.k === 'd') { delete o.b; "
     "continue } n.push(t.k) } for (var x in null) n.push(x); return n",
     "[\"c\"]"},
    {"function B() { this.own = 1 } B.prototype.inherited = 2; B.prototype.own = 3; var n = [];"
     "for (var k in new B()) for (var i in 'ab') n.push(k + i); return n",
     "[\"own0\",\"own1\",\"inherited0\",\"inherited1\"]"},
    {"for (var i = ('a' in {a: 1}) ? 1 : 0; i < 3; i++) ; var f = function (o) { for (var k in "
     "(function () { for (var q in o) return o[q] })()) return k }; return [i, f({x: {y: 1}})]",
     "[3,\"y\"]"},
};

static void test_values(void)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        run(values[i].program);
        CU_ASSERT_EQUAL(host.ends, 1);
        if (host.kind != NULL)
            fprintf(stderr, "%s\n%s: %s\n", values[i].program, host.kind, host.message);
        SAME(host.value, values[i].value);
    }
}

/* --- Failures ------------------------------------------------------------------------------ */

#define PLUS_10  "+1+1+1+1+1+1+1+1+1+1"
#define PLUS_100 PLUS_10 PLUS_10 PLUS_10 PLUS_10 PLUS_10 PLUS_10 PLUS_10 PLUS_10 PLUS_10 PLUS_10

static const struct {
    const char *program, *kind, *message; /* a part of it */
    const char *subject;                  /* NULL: none */
    uint32_t line, column;
    uint64_t call;
} failures[] = {
    /* Syntax. */
    {"var x = ;", "syntax", "unexpected token", NULL, 1, 0, 0},
    {"var a = 1;\nvar b = (1 +\n  2;\n", "syntax", "never closed", NULL, 2, 9, 0},
    {"return 1\n}", "syntax", "closes nothing", NULL, 2, 1, 0},
    {"}); tools.echo(1); (function () {", "syntax", "closes nothing", NULL, 1, 1, 0},
    {"var s = 'abc", "syntax", "", NULL, 1, 9, 0},
    {"var a = 1;\nlet x = 2", "syntax", "let declarations are newer than javascript-es5", NULL, 2,
     1, 0},
    {"return [1].map(x => x)", "syntax", "arrow functions are newer", NULL, 1, 18, 0},
    {"return `x`", "syntax", "template literals are newer", NULL, 1, 8, 0},
    {"eval('1')", "syntax", "eval does not exist", NULL, 1, 1, 0},
    {"\\u0065val('1')", "syntax", "escape in a name", NULL, 1, 1, 0},
    {"if (1) {\n  debugger\n}", "syntax", "debugger", NULL, 2, 3, 0},
    {"if (1) /x/.test('')", "syntax", "takes a / here for a division", NULL, 1, 8, 0},
    {"import x from 'y'", "syntax", "import", NULL, 1, 1, 0},
    {"return 1" PLUS_100, "syntax", "too many parts", NULL, 1, 0, 0},
    {"with ({}) {}", "syntax", "", NULL, 1, 0, 0},

    /* Errors at run time. */
    {"\n\nthrow new TypeError('bad')", "runtime", "TypeError: bad", NULL, 3, 0, 0},
    {"throw 'text'", "runtime", "text", NULL, 0, 0, 0},
    {"throw {a: 1}", "runtime", "{\"a\":1}", NULL, 0, 0, 0},
    {"throw undefined", "runtime", "undefined", NULL, 0, 0, 0},
    {"throw ''", "runtime", "empty", NULL, 0, 0, 0},
    {"var x;\nfetch('u')", "runtime", "ReferenceError: fetch is not defined", "fetch", 2, 1, 0},
    {"tools.get_log('h')", "runtime", "TypeError: tools.get_log is not a function", "tools.get_log",
     1, 1, 0},
    {"var o = {};\nvar r = 1 + o.nothing(2)", "runtime", "o.nothing is not a function", NULL, 2, 13,
     0},
    {"var u;\nu.x", "runtime", "undefined", NULL, 2, 0, 0},
    {"function f() {\n  throw new Error('deep')\n}\nf()", "runtime", "Error: deep", NULL, 2, 0, 0},
    {"var e = new Error('late');\n\nthrow e", "runtime", "Error: late", NULL, 1, 0, 0},
    {"(function f() { f() })()", "runtime", "stack overflow", NULL, 0, 0, 0},
    {"Math.max.apply(null, new Array(1000))", "runtime", "stack overflow", NULL, 0, 0, 0},
    {"Function('return 1')", "runtime", "EvalError", NULL, 1, 0, 0},
    {"(function () {}).constructor('return 1')", "runtime", "EvalError", NULL, 1, 0, 0},
    {"var s = ''; for (var i = 0; i < 3000; i++) s += 'ab'; /(ab)*$/.exec(s)", "runtime",
     "1,000 times", NULL, 1, 0, 0},
    {"var e = new Error('x');"
     "Object.defineProperty(e, 'message', {get: function () { throw 1 }}); throw e",
     "runtime", "cannot be shown", NULL, 1, 0, 0},
    {"var e = new Error('x'); e.stackTrace = '\\n\\tat x (program:99)\\n\\tat y'; throw e",
     "runtime", "Error: x", NULL, 1, 0, 0},

    /* Failed calls. */
    {"var x;\ntools.fail('no')", "runtime", "ToolCallError: \"no\"", NULL, 2, 1, 1},
    {"tools.echo(1); tools.deny()", "runtime", "not allowed", NULL, 1, 0, 2},
    {"try { tools.broken() } catch (e) { throw e }", "runtime", "the stage broke", NULL, 1, 7, 1},
    {"try { tools.deny() } catch (e) { throw new Error(e.message) }", "runtime",
     "Error: not allowed", NULL, 1, 0, 0},
    {"other.echo(NaN)", "runtime", "Error: other.echo: arguments[0] is NaN", NULL, 1, 0, 0},

    /* Results that JSON cannot hold. */
    {"return {items: [0, 0, 0, {score: NaN}]}", "bad_result", "value.items[3].score is NaN", "NaN",
     0, 0, 0},
    {"return 1 / 0", "bad_result", "value is Infinity", "Infinity", 0, 0, 0},
    {"return function () {}", "bad_result", "value is a function", "function", 0, 0, 0},
    {"return {'a b': [undefined]}", "bad_result", "value[\"a b\"][0] is undefined", "undefined", 0,
     0, 0},
    {"var o = {}; o.me = [o]; return o", "bad_result", "value.me[0] contains itself", "cycle", 0, 0,
     0},
    {"var a = [1]; a[2] = 3; return {a: a}", "bad_result", "value.a has no element 1", "sparse", 0,
     0, 0},
    {"var a = [1]; a.x = 3; return a", "bad_result", "value.x is a property of an array", "extra",
     0, 0, 0},
    {"function Point() { this.x = 1 } return new Point()", "bad_result", "value is a Point",
     "instance", 0, 0, 0},
    {"return [/x/]", "bad_result", "value[0] is a RegExp", "RegExp", 0, 0, 0},
    {"return new Error('x')", "bad_result", "value is an Error", "Error", 0, 0, 0},
    {"return Object.defineProperty({}, 'h', {value: 1})", "bad_result", "value.h is not enumerable",
     "hidden", 0, 0, 0},
    {"return {toJSON: function () { throw new Error('no') }}", "runtime", "Error: no", NULL, 1, 0,
     0},

    /* Memory. */
    {"var s = 'x'; for (;;) s += s", "budget_memory", "KiB of memory", NULL, 0, 0, 0},
    {"for (;;) try { var a = []; for (;;) a.push({}) } catch (e) { }", "budget_memory",
     "KiB of memory", NULL, 0, 0, 0},
};

static void test_failures(void)
{
    host.budget.max_memory = 16 << 20;
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        run(failures[i].program);
        CU_ASSERT_EQUAL(host.ends, 1);
        SAME(host.kind, failures[i].kind);
        if (host.kind == NULL || strcmp(host.kind, failures[i].kind) != 0) {
            fprintf(stderr, "%s\n", failures[i].program);
            continue;
        }
        if (strstr(host.message, failures[i].message) == NULL)
            SAME(host.message, failures[i].message);
        SAME(host.subject, failures[i].subject);
        if (host.line != failures[i].line ||
            (failures[i].column != 0 && host.column != failures[i].column))
            fprintf(stderr, "%s\nat %u:%u instead of %u:%u\n", failures[i].program, host.line,
                    host.column, failures[i].line, failures[i].column);
        CU_ASSERT_EQUAL(host.line, failures[i].line);
        if (failures[i].column != 0)
            CU_ASSERT_EQUAL(host.column, failures[i].column);
        CU_ASSERT_EQUAL(host.failed_call, failures[i].call);
    }
    host.budget.max_memory = 0;
}

/* --- The host ------------------------------------------------------------------------------ */

static void test_logs(void)
{
    run("console.log('a', 1, [1, undefined], {f: function () {}}, null);"
        "console.warn(new TypeError('t'), /x/g, NaN, -0);"
        "var o = {}; o.o = o; console.info(o); console.error(); console.debug('\\ud800')");
    SAME(host.logs, "a 1 [1,undefined] {\"f\":[Function]} null\n"
                    "TypeError: t /x/g NaN -0\n"
                    "{\"o\":[Circular]}\n"
                    "\n"
                    "\xef\xbf\xbd\n");
}

static void test_discover(void)
{
    host.found = "[{\"name\":\"x\"}]";
    run("return discover('logs \\u00e9')[0].name");
    SAME(host.value, "\"x\"");
    SAME(host.arguments, "logs \xc3\xa9");
    host.found = NULL;
}

static void test_malformed_answers(void)
{
    static const char *const answers[] = {"", "{", "[1,]", "\"\xff\"x", "nope"};

    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        host.raw = answers[i];
        run("tools.raw()");
        SAME(host.kind, "runtime");
        CU_ASSERT_PTR_NOT_NULL(strstr(host.message, "not JSON"));
    }
    host.raw = "{\"n\":1e400,\"deep\":[[[[]]]],\"s\":\"\\ud83d\\ude00\"}";
    run("var r = tools.raw(); return [r.n === Infinity, r.deep, r.s.length]");
    SAME(host.value, "[true,[[[[]]]],2]");
    host.raw = "null";
}

/* Deeper than any C stack would allow. */
static void test_deep_values(void)
{
    enum { DEPTH = 9000 };
    char *text = malloc((size_t)2 * DEPTH + 1);

    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    text[(size_t)2 * DEPTH] = 0;
    host.raw = text;
    run("return tools.raw()");
    SAME(host.value, text);
    host.raw = "null";
    free(text);
    run("var a = []; for (var i = 0; i < 100000; i++) a = [a]; return a");
    SAME(host.kind, "bad_result");
    CU_ASSERT_PTR_NOT_NULL(strstr(host.message, "nested too deeply"));
}

static void test_ends_cannot_be_caught(void)
{
    CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance,
                                 "try { tools.end() } catch (e) { } finally { console.log(1) }"
                                 "console.log(2)",
                                 0),
                    PAWL_OK);
    CU_ASSERT_EQUAL(host.ends, 0);
    CU_ASSERT_PTR_NULL(host.logs);
    atomic_store(&host.end, PAWL_END_NONE);
}

static pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;

/* A host function that holds a lock when the deadline comes. */
static void hold_lock(struct fakehost *fake, uint32_t function)
{
    (void)function;
    pthread_mutex_lock(&host_lock);
    while (fake->run.cancelled(fake) == PAWL_END_NONE)
        ;
    for (volatile int i = 0; i < 100000; i++)
        ;
    pthread_mutex_unlock(&host_lock);
}

static void test_host_functions_are_not_left(void)
{
    NEEDS_SIGNALS;
    host.on_call = hold_lock;
    for (int i = 0; i < 50; i++) {
        fakehost_run(&host, provider, instance, "for (;;) tools.echo(1)", 2);
        CU_ASSERT_EQUAL_FATAL(pthread_mutex_trylock(&host_lock), 0);
        pthread_mutex_unlock(&host_lock);
    }
    host.on_call = NULL;
}

static struct fakehost inner;

static void run_inner(struct fakehost *fake, uint32_t function)
{
    (void)fake;
    (void)function;
    fakehost_run(&inner, provider, instance, "for (;;);", 3);
}

/* A host function runs another program. */
static void test_nested_runs(void)
{
    NEEDS_SIGNALS;
    fakehost_init(&inner, "javascript-es5");
    host.on_call = run_inner;
    run("return tools.echo(1) + tools.echo(2)");
    SAME(host.value, "3");
    CU_ASSERT_EQUAL(inner.ends, 0);
    fakehost_run(&host, provider, instance, "tools.echo(1); for (;;);", 20);
    CU_ASSERT_EQUAL(host.ends, 0);
    host.on_call = NULL;
    fakehost_release(&inner);
}

static void test_isolation(void)
{
    run("Array.prototype.map = null; Object.prototype.leak = 1; JSON = null; tools.extra = 1;"
        "console.log = null; Math.secret = 1; return 1");
    run("return [typeof [].map, ({}).leak, typeof JSON, tools.extra, typeof console.log,"
        "Math.secret].map(String)");
    SAME(host.value,
         "[\"function\",\"undefined\",\"object\",\"undefined\",\"function\",\"undefined\"]");
}

static void test_globals(void)
{
    run("var names = Object.getOwnPropertyNames((function () { return [].concat }).call) && [];"
        "return ['fetch', 'require', 'process', 'Deno', 'XMLHttpRequest', 'print', 'load', 'read',"
        "'setTimeout', 'Promise', 'globalThis', 'window', 'global', 'console', 'tools', 'JSON']"
        ".filter(function (n) { switch (n) {"
        "case 'console': return typeof console !== 'undefined';"
        "case 'tools': return typeof tools !== 'undefined';"
        "case 'JSON': return typeof JSON !== 'undefined';"
        "case 'fetch': return typeof fetch !== 'undefined';"
        "case 'require': return typeof require !== 'undefined';"
        "case 'process': return typeof process !== 'undefined';"
        "case 'print': return typeof print !== 'undefined';"
        "case 'load': return typeof load !== 'undefined';"
        "case 'read': return typeof read !== 'undefined' } return false })");
    SAME(host.value, "[\"console\",\"tools\",\"JSON\"]");
}

static void test_odd_programs(void)
{
    char *large = malloc(4 << 20);
    size_t size = 4 << 20;

    CU_ASSERT_EQUAL(fakehost_run_bytes(&host, provider, instance, "return 1\0 + 1", 12, 1000), 0);
    CU_ASSERT_EQUAL(host.ends, 1);
    CU_ASSERT_EQUAL(fakehost_run_bytes(&host, provider, instance, "return '\xff'", 10, 1000), 0);
    CU_ASSERT_EQUAL(host.ends, 1);
    CU_ASSERT_EQUAL(fakehost_run_bytes(&host, provider, instance, NULL, 0, 1000), 0);
    CU_ASSERT_EQUAL(host.ends, 1);
    CU_ASSERT_PTR_NULL(host.kind);
    memset(large, ' ', size);
    large[0] = ';';
    CU_ASSERT_EQUAL(fakehost_run_bytes(&host, provider, instance, large, 1 << 20, 0), 0);
    CU_ASSERT_PTR_NULL(host.kind);
    CU_ASSERT_EQUAL(fakehost_run_bytes(&host, provider, instance, large, size, 0), 0);
    SAME(host.kind, "syntax");
    memset(large, '(', size);
    CU_ASSERT_EQUAL(fakehost_run_bytes(&host, provider, instance, large, 1 << 20, 0), 0);
    SAME(host.kind, "syntax");
    free(large);
}

/* libmujs counts allocations, not bytes: without help, garbage of large strings fills the heap. */
static void test_garbage(void)
{
    host.budget.max_memory = 4 << 20;
    run("var s = '', i; for (i = 0; i < 3000; i++) s += 'line ' + i + '\\n'; return s.length");
    SAME(host.value, "28890");
    run("for (var i = 0; i < 1500; i++) new Array(1000).join('some text'); return i");
    SAME(host.value, "1500");
    run("for (var i = 0, a; i < 500; i++) { a = []; for (var k = 0; k < 200; k++) a.push({k: k}) }"
        "return i");
    SAME(host.value, "500");
    host.budget.max_memory = 0;
}

enum { THREADS = 8, RUNS = 100 };

static void *run_many(void *context)
{
    int *wrong = context;
    struct fakehost fake;

    fakehost_init(&fake, "javascript-es5");
    for (int i = 0; i < RUNS; i++) {
        char program[64], expected[32];

        fake.budget.max_memory = (uint64_t)(i % 3) * (2 << 20);
        snprintf(program, sizeof program, "return tools.echo([%d].concat('x'))", i);
        snprintf(expected, sizeof expected, "[%d,\"x\"]", i);
        fakehost_run(&fake, provider, instance, program, 60000);
        *wrong += fake.value == NULL || strcmp(fake.value, expected) != 0;
    }
    fakehost_release(&fake);
    return NULL;
}

static void test_threads(void)
{
    pthread_t thread[THREADS];
    int wrong[THREADS] = {0};

    for (int i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, run_many, &wrong[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        CU_ASSERT_EQUAL(wrong[i], 0);
    }
}

/* --- The instance -------------------------------------------------------------------------- */

static int32_t try_config(const char *config, char **text)
{
    struct pawl_sink why = fakehost_sink(text);
    void *other = NULL;
    int32_t status = provider->create(NULL, config, &why, &other);

    if (status == PAWL_OK)
        provider->destroy(other);
    return status;
}

static void test_config(void)
{
    static const struct {
        const char *config, *why;
    } bad[] = {{"", "not JSON"},
               {"[]", "must be an object"},
               {"{\"signal\": 1}", "\"signal\" must be a whole number"},
               {"{\"signal\": \"x\"}", "\"signal\" must be a whole number"},
               {"{\"heap\": 1.5}", "\"heap\" must be a whole number"},
               {"{\"heap\": 10}", "\"heap\" must be a whole number"},
               {"{\"heaps\": 1}", "unknown key \"heaps\""},
               {"{\"heap\": 1048576} x", "not JSON"}};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text = NULL;

        CU_ASSERT_EQUAL(try_config(bad[i].config, &text), PAWL_E_CONFIG);
        if (text == NULL || strstr(text, bad[i].why) == NULL)
            TEST_TEXT(text, bad[i].why);
        free(text);
    }
    {
        char *text = NULL;

        CU_ASSERT_EQUAL(try_config("{\"heap\": 4194304}", &text), PAWL_OK);
        free(text);
    }
}

static void ignore(int number)
{
    (void)number;
}

static void test_signal(void)
{
    char config[64], *text = NULL;
    struct sigaction found;

    signal(SIGRTMAX - 5, ignore);
    snprintf(config, sizeof config, "{\"signal\": %d}", SIGRTMAX - 5);
    CU_ASSERT_EQUAL(try_config(config, &text), PAWL_E_ALREADY_TAKEN);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "already handled by the host"));
    free(text);
    signal(SIGRTMAX - 5, SIG_DFL);
    text = NULL;
    CU_ASSERT_EQUAL(try_config(config, &text), PAWL_OK);
    free(text);
    sigaction(SIGRTMAX - 5, NULL, &found);
    CU_ASSERT_PTR_EQUAL(found.sa_handler, SIG_DFL);
}

static void test_claims(void)
{
    struct pawl_budget budget = {.header = PAWL_HEADER(BUDGET, budget)};
    char *text = NULL;
    struct pawl_sink why = fakehost_sink(&text);
    uint32_t missing = 99;

    CU_ASSERT_EQUAL(provider->level(instance), PAWL_LEVEL_PROCESS);
    CU_ASSERT_EQUAL(provider->egress(instance), PAWL_EGRESS_NONE);
    TEST_TEXT(provider->languages(instance)[0], "javascript-es5");
    CU_ASSERT_PTR_NULL(provider->languages(instance)[1]);
    budget.wall_clock = budget.max_calls = budget.max_bytes = 1;
    CU_ASSERT_EQUAL(provider->supports(instance, &budget, &why, &missing), PAWL_OK);
    CU_ASSERT_EQUAL(missing, 0);
    budget.max_memory = 64 << 20;
    CU_ASSERT_EQUAL(provider->supports(instance, &budget, &why, &missing), PAWL_OK);
    budget.max_memory = 1000;
    CU_ASSERT_EQUAL(provider->supports(instance, &budget, &why, &missing), PAWL_E_UNSUPPORTED);
    CU_ASSERT_EQUAL(missing, PAWL_BUDGET_MAX_MEMORY);
    CU_ASSERT_PTR_NOT_NULL(text);
    free(text);
}

static void *run_on_small_stack(void *context)
{
    struct fakehost *fake = context;

    fake->clock = fakehost_run(fake, provider, instance, "return 1", 1000);
    return NULL;
}

static void test_small_stack(void)
{
    struct fakehost fake;
    pthread_attr_t attributes;
    pthread_t thread;

    fakehost_init(&fake, "javascript-es5");
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, &attributes, run_on_small_stack, &fake), 0);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(fake.clock, PAWL_E_UNAVAILABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(fake.why, "stack"));
    CU_ASSERT_EQUAL(fake.ends, 0);
    pthread_attr_destroy(&attributes);
    fakehost_release(&fake);
}

/* --- Memory runs out ----------------------------------------------------------------------- */

/* A program that uses most of the engine, after it has filled what is free in the template. */
static const char thorough[] =
    "var o = {}, a = [], i, fill = [];\n"
    "for (i = 0; i < 4000; i++) fill.push('a string of its own ' + i);\n"
    "for (i = 0; i < 20; i++) { o['k' + i] = i; a.push({n: i, t: 'text ' + i}) }\n"
    "a.sort(function (x, y) { return y.n - x.n }); a.shift(); a.pop(); a.splice(2, 3, 1, 2);\n"
    "var s = JSON.stringify([o, a]).replace(/t/g, 'T').split(',').join(';');\n"
    "JSON.parse(JSON.stringify(a)); tools.echo(o); console.log(o, a);\n"
    "try { tools.fail(a) } catch (e) { s += e.stack }\n"
    "try { null.x } catch (e) { s += e.message }\n"
    "return {keys: Object.keys(o), date: new Date(0), upper: s.toUpperCase().length, ok: true}";

static size_t peak_memory(void)
{
    const char *fact = host.facts != NULL ? strstr(host.facts, "peak_memory=") : NULL;

    CU_ASSERT_PTR_NOT_NULL(fact);
    return fact != NULL ? strtoul(fact + 12, NULL, 10) : 0;
}

/* The heap ends at every possible size: never a crash, nor a wrong result. */
static void test_every_heap_limit(void)
{
    uint64_t succeeded = 0, failed = 0;
    char *value;
    size_t peak;

    run(thorough);
    value = strdup(host.value != NULL ? host.value : "");
    peak = peak_memory();
    for (uint64_t limit = peak + 1000; limit > peak - 200000; limit -= 272) {
        host.budget.max_memory = limit;
        run(thorough);
        if (host.kind != NULL && strcmp(host.kind, "budget_memory") == 0) {
            failed++;
        } else {
            SAME(host.value, value);
            succeeded++;
        }
    }
    CU_ASSERT_TRUE(succeeded > 0);
    CU_ASSERT_TRUE(failed > 200);
    host.budget.max_memory = 0;
    free(value);
    run("return 1");
    SAME(host.value, "1");
}

static int allocations_left = -1; /* -1: they do not fail */

static int may_allocate(void)
{
    if (allocations_left < 0)
        return 1;
    if (allocations_left == 0) {
        errno = ENOMEM;
        return 0;
    }
    allocations_left--;
    return 1;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    return may_allocate() ? __real_realloc(block, size) : NULL;
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return may_allocate() ? __real_mmap(at, size, protection, flags, fd, offset) : MAP_FAILED;
}

static void forget_text(void *context, const char *text, size_t size)
{
    (void)context;
    (void)text;
    (void)size;
}

static int32_t forget_fact(void *context, const char *name, const char *json, size_t size)
{
    (void)context;
    (void)name;
    (void)json;
    (void)size;
    return PAWL_OK;
}

static int32_t count_value(void *context, const char *json, size_t size)
{
    struct fakehost *fake = context;
    (void)json;
    (void)size;

    fake->ends++;
    return PAWL_OK;
}

/* The plugin's own allocations fail, each in turn. */
static void test_every_allocation_fails(void)
{
    struct pawl_sink why = {.header = PAWL_HEADER(SINK, why), .write = forget_text};
    struct fakehost fake;
    int32_t status = -1;
    int refused = 0;

    fakehost_init(&fake, "javascript-es5");
    fake.run.fact = forget_fact;
    fake.run.value = count_value;
    fake.run.program = (struct pawl_text){.data = "return [1, 2]", .size = 13};
    for (int n = 0; status != PAWL_OK && n < 100; n++) {
        void *other = NULL;

        allocations_left = n;
        status = provider->create(NULL, "{}", &why, &other);
        if (status == PAWL_OK) {
            status = provider->run(other, &fake.run, &why);
            allocations_left = -1;
            provider->destroy(other);
        }
        allocations_left = -1;
        CU_ASSERT_TRUE(status == PAWL_OK || status == PAWL_E_MEMORY);
        refused += status != PAWL_OK;
    }
    CU_ASSERT_EQUAL(status, PAWL_OK);
    CU_ASSERT_EQUAL(fake.ends, 1);
    CU_ASSERT_TRUE(refused >= 4);
    fakehost_release(&fake);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"values", test_values},
        {"failures", test_failures},
        {"logs", test_logs},
        {"discover", test_discover},
        {"malformed answers", test_malformed_answers},
        {"deep values", test_deep_values},
        {"ends cannot be caught", test_ends_cannot_be_caught},
        {"host functions are not left", test_host_functions_are_not_left},
        {"nested runs", test_nested_runs},
        {"isolation between runs", test_isolation},
        {"garbage", test_garbage},
        {"threads", test_threads},
        {"globals", test_globals},
        {"odd programs", test_odd_programs},
        {"configuration", test_config},
        {"signal", test_signal},
        {"claims", test_claims},
        {"small stack", test_small_stack},
        {"every heap limit", test_every_heap_limit},
        {"every allocation fails", test_every_allocation_fails},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {{"mujs", set_up, tear_down, NULL, NULL, tests},
                                    CU_SUITE_INFO_NULL};

    return test_main(suites);
}
