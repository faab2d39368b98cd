/*
 * Programs that try not to end, on several threads at once: each is stopped, as often as it is run.
 * MUJS_ROUNDS sets how often (default 2 for each thread).
 */
#include "tests/unit/fakehost.h"
#include "tests/unit/signals.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4

static const struct hostile {
    const char *name, *program;
} hostile[] = {
    {"endless loop", "while (true) {}"},
    {"endless for with calls", "function f(x) { return x + 1 } for (var i = 0;; i = f(i)) {}"},
    {"try and finally", "for (;;) { try { for (;;) { } } catch (e) { } finally { for (;;) {} } }"},
    {"catching everything", "for (;;) { try { (function f() { f() })() } catch (e) { continue } }"},
    {"regular expression", "var s = ''; for (var i = 0; i < 40; i++) s += 'a';"
                           "return /^(a+)+$/.test(s + '!')"},
    {"nested quantifiers", "var s = ''; for (var i = 0; i < 30; i++) s += 'ab';"
                           "return /^((ab)+)+c$/.exec(s)"},
    {"sparse indexOf", "var a = []; a.length = 60000000; for (;;) a.indexOf(1)"},
    {"slow comparator", "var a = []; for (var i = 0; i < 500; i++) a.push(500 - i);"
                        "a.sort(function (x, y) { for (var k = 0; k < 1e7; k++); return x - y })"},
    {"comparator that never decides",
     "var a = []; for (var i = 0; i < 5000; i++) a.push(i);"
     "for (;;) a.sort(function () { return Math.random() - 0.5 })"},
    {"string doubling", "var s = 'x'; for (;;) s += s"},
    {"string concatenation", "var s = ''; for (;;) s += 'some more text '"},
    {"growing array", "var a = []; for (;;) a.push(a.length)"},
    {"growing object", "var o = {}; for (var i = 0;; i++) o['k' + i] = i"},
    {"nested arrays", "var a = []; for (;;) a = [a]"},
    {"big stringify", "var a = []; for (var i = 0; i < 20000; i++) a.push({x: i, y: 'text'});"
                      "for (;;) JSON.stringify(a)"},
    {"big parse", "var a = []; for (var i = 0; i < 20000; i++) a.push({x: i, y: 'text'});"
                  "var s = JSON.stringify(a); for (;;) JSON.parse(s)"},
    {"huge join", "Array(6e7).join('xxxxxxxxxxxxxxxx')"},
    {"huge length join", "var a = []; a.length = 60000000; return a.join('x')"},
    {"global replace", "var s = 'aaaaaaaaaaaaaaaa'; for (;;) s = s.replace(/a/g, 'aa')"},
    {"apply with many arguments", "var a = []; for (var i = 0; i < 1e6; i++) a.push(i);"
                                  "for (;;) try { Math.max.apply(null, a) } catch (e) { }"},
    {"deep recursion", "function f(n) { try { return f(n + 1) } catch (e) { return f(n) } }"
                       "for (;;) try { f(0) } catch (e) { }"},
    {"toString loops", "var o = {toString: function () { for (;;); }}; return '' + o"},
    {"getter loops", "var o = {get x() { for (;;); }}; return JSON.stringify(o)"},
    {"toJSON loops", "return {toJSON: function () { for (;;); }}"},
    {"split and join", "var s = 'a,b,'; for (;;) s = s.split(',').join(',,')"},
    {"errors without end", "for (;;) try { null.x } catch (e) { e.stack }"},
    {"failed calls without end", "for (;;) try { tools.fail('x') } catch (e) { }"},
    {"logs without end", "for (var i = 0; i < 1e9; i++) if (i % 1e6 === 0) console.log(i)"},
    {"a call that never settles", "tools.wait()"},
    {"shifting", "var a = []; for (var i = 0; i < 30000; i++) a.push(i); for (;;) "
                 "a.push(a.shift())"},
    {"dates", "for (;;) new Date().toString()"},
    {"thrown object that loops", "throw {get x() { for (;;); }}"},
    {"error getter that loops",
     "var e = new Error('x');"
     "Object.defineProperty(e, 'message', {get: function () { for (;;); }}); throw e"},
};

#define COUNT (sizeof hostile / sizeof *hostile)

static const struct pawl_provider *provider;
static void *instance;
static int rounds = 2;
static atomic_int wrong, runs;

/* Every one ends by the clock, or because the heap is full; none gives a value. */
static void run_one(struct fakehost *host, const struct hostile *what)
{
    int32_t status = fakehost_run(host, provider, instance, what->program, 20);
    int by_clock = host->ends == 0 && host->run.cancelled(host) == PAWL_END_DEADLINE;
    int by_memory = host->kind != NULL && strcmp(host->kind, "budget_memory") == 0;

    atomic_fetch_add(&runs, 1);
    if (status == PAWL_OK && (by_clock || by_memory))
        return;
    atomic_fetch_add(&wrong, 1);
    fprintf(stderr, "%s: status %d, %s: %s, value %.60s\n", what->name, status,
            host->kind != NULL ? host->kind : "no failure",
            host->message != NULL ? host->message : "", host->value != NULL ? host->value : "none");
}

/* After each of them the next program works. */
static void run_honest(struct fakehost *host)
{
    fakehost_run(host, provider, instance, "return tools.echo([1, 'a'])", 60000);
    if (host->value == NULL || strcmp(host->value, "[1,\"a\"]") != 0)
        atomic_fetch_add(&wrong, 1);
}

static void *run_all(void *argument)
{
    size_t first = *(const size_t *)argument;
    struct fakehost host;

    fakehost_init(&host, "javascript-es5");
    host.budget.max_memory = 32 << 20;
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < COUNT; i++) {
            run_one(&host, &hostile[(first + i) % COUNT]);
            run_honest(&host);
        }
    fakehost_release(&host);
    return NULL;
}

static void test_all_are_stopped(void)
{
    pthread_t thread[THREADS];
    size_t first[THREADS];

    NEEDS_SIGNALS;
    for (size_t i = 0; i < THREADS; i++) {
        first[i] = i * COUNT / THREADS;
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[i], NULL, run_all, &first[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    CU_ASSERT_EQUAL(atomic_load(&wrong), 0);
    CU_ASSERT_EQUAL(atomic_load(&runs), rounds * THREADS * (int)COUNT);
}

static void *cancel(void *context)
{
    struct fakehost *host = context;

    atomic_store(&host->end, PAWL_END_ABORT);
    return NULL;
}

static void test_cancelled_by_another_thread(void)
{
    NEEDS_SIGNALS;
    for (size_t i = 0; i < COUNT; i++) {
        struct fakehost host;
        pthread_t thread;

        fakehost_init(&host, "javascript-es5");
        host.budget.max_memory = 32 << 20;
        pthread_create(&thread, NULL, cancel, &host);
        CU_ASSERT_EQUAL(fakehost_run(&host, provider, instance, hostile[i].program, 0), PAWL_OK);
        CU_ASSERT_PTR_NULL(host.value);
        pthread_join(thread, NULL);
        fakehost_release(&host);
    }
}

static int set_up(void)
{
    char *text = NULL;
    struct pawl_sink why = fakehost_sink(&text);

    const char *wanted = getenv("MUJS_ROUNDS");

    if (wanted != NULL)
        rounds = (int)strtol(wanted, NULL, 10);
    provider = pawl_provider_entry_v1();
    return provider->create(NULL, "{}", &why, &instance) != PAWL_OK;
}

static int tear_down(void)
{
    provider->destroy(instance);
    return 0;
}

int main(void)
{
    static CU_TestInfo tests[] = {{"all are stopped", test_all_are_stopped},
                                  {"cancelled by another thread", test_cancelled_by_another_thread},
                                  CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {{"hostile", set_up, tear_down, NULL, NULL, tests},
                                    CU_SUITE_INFO_NULL};

    return test_main(suites);
}
