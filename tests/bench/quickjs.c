/*
 * quickjs.c - what a program costs in the quickjs provider, beside what it could cost:
 *
 *     an empty program through pawl_execute
 *         beside making a runtime and a context, evaluating nothing and freeing both, in the same
 *         translated engine
 *     small programs
 *         beside the same programs in libmujs, with a state of their own each time
 *     two threads at once
 *         beside one
 *     many runs
 *         and what they leave in memory
 *
 * Both sides of a ratio are measured in turns, so that a busy machine slows both. Only the ratios
 * of one run say anything. `quickjs soak` makes 100,000 runs and fails when memory grows.
 */
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <pawl/pawl.h>

#ifdef BENCH_MUJS
#include <mujs.h>
#endif

#include "providers/quickjs/box.h"

#define ROUNDS 9

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

struct work {
    void (*run)(void *context);
    void *context;
    unsigned count; /* in each round */
    double time;    /* seconds for one, the median */
};

/* Measures both in turns. Processor time of this thread, so that what else runs here counts little.
 */
static double compare_works(struct work *work, struct work *base)
{
    struct work *both[2] = {work, base};
    double times[2][ROUNDS];
    for (int i = 0; i < 2; i++)
        both[i]->run(both[i]->context); /* what is made only once */
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            double start = seconds(CLOCK_THREAD_CPUTIME_ID);
            for (unsigned n = 0; n < both[i]->count; n++)
                both[i]->run(both[i]->context);
            times[i][round] = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / both[i]->count;
        }
    }
    for (int i = 0; i < 2; i++) {
        qsort(times[i], ROUNDS, sizeof(times[i][0]), compare);
        both[i]->time = times[i][ROUNDS / 2];
    }
    return work->time / base->time;
}

/* --- Programs by the provider ------------------------------------------------------------------
 */

static pawl_registry *registry;

static pawl_request *new_request(const char *program)
{
    pawl_request *request = NULL;
    pawl_error *error = NULL;
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = 30000;
    if (pawl_request_new(&request, &error) != PAWL_OK ||
        pawl_request_set_program(request, program, strlen(program), &error) != PAWL_OK ||
        pawl_request_set_provider(request, "quickjs", &error) != PAWL_OK ||
        pawl_request_set_level(request, PAWL_LEVEL_PROCESS, &error) != PAWL_OK)
        die("request", pawl_error_message(error));
    pawl_request_add_budget(request, &budget);
    return request;
}

static void execute(void *context)
{
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    if (pawl_execute(registry, context, &result, &error) != PAWL_OK)
        die("run", pawl_error_message(error));
    if (!pawl_result_ok(result))
        die("program", pawl_result_describe(result, NULL));
    pawl_result_free(result);
}

/* --- An empty program ---------------------------------------------------------------------------
 */

/* Runs in the box. */
static void bare_context(void *context)
{
    Z_qjs_instance_t *instance = &((struct box *)context)->instance;
    uint32_t runtime = Z_qjsZ_JS_NewRuntime(instance);
    uint32_t made = Z_qjsZ_JS_NewContext(instance, runtime);
    uint32_t text = Z_qjsZ_malloc(instance, 4); /* "" and "p" */
    memcpy(box_at(context, text), "\0p", 3);
    Z_qjsZ_JS_FreeValue(instance, made, Z_qjsZ_JS_Eval(instance, made, text, 0, text + 1, 0));
    Z_qjsZ_free(instance, text);
    Z_qjsZ_JS_FreeContext(instance, made);
    Z_qjsZ_JS_FreeRuntime(instance, runtime);
}

static void bare(void *context)
{
    if (box_run(context, bare_context, context) != BOX_RETURNED)
        die("bare engine", "it was left");
}

static void initialize(void *context)
{
    Z_qjsZ__initialize(&((struct box *)context)->instance);
}

static void measure_empty(void)
{
    struct box *box = box_create((uint64_t)64 << 20);
    if (!box || box_run(box, initialize, box) != BOX_RETURNED)
        die("bare engine", "no memory");
    struct work empty = {execute, new_request(""), 1000, 0};
    struct work native = {bare, box, 200, 0};
    double ratio = compare_works(&empty, &native);
    printf("an engine's own runtime, context and eval %10.1f us\n", native.time * 1e6);
    printf("empty program                             %10.1f us  %5.2f x  (target 0.60)\n",
           empty.time * 1e6, ratio);
    fflush(stdout);
    pawl_request_free(empty.context);
    box_destroy(box);
}

/* --- Small programs -----------------------------------------------------------------------------
 */

struct program {
    const char *name, *text;
    int is_quadratic; /* in libmujs, whose strings are UTF-8 and whose += copies */
};

static const struct program programs[] = {
    {"recursion", "function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); } return f(20);", 0},
    {"loop, integers",
     "var s = 0; for (var i = 0; i < 300000; i++) s = (s + i * 7) % 1000003; return s;", 0},
    {"loop, numbers",
     "var x = 0.5; for (var i = 0; i < 200000; i++) x = 3.7 * x * (1 - x); return x;", 0},
    {"nested loops, array",
     "var a = [], i, j; for (i = 0; i < 2000; i++) a[i] = 1; for (i = 2; i < 2000; i++) for (j = "
     "i * 2; j < 2000; j += i) a[j] = 0; return a.length;",
     0},
    {"closures",
     "function add(n) { return function (x) { return x + n; }; } var s = 0; for (var i = 0; i < "
     "40000; i++) s = add(i)(s) % 10007; return s;",
     0},
    {"concatenation",
     "var s = ''; for (var i = 0; i < 4000; i++) s += 'item ' + i; return s.length;", 1},
    {"join",
     "var a = []; for (var i = 0; i < 10000; i++) a.push('n' + i); return a.join(',').length;", 0},
    {"map, filter, reduce",
     "var a = []; for (var i = 0; i < 5000; i++) a.push(i); return a.map(function (x) { return x * "
     "2; }).filter(function (x) { return x % 3 === 0; }).reduce(function (p, q) { return p + q; }, "
     "0);",
     0},
    {"sort",
     "var a = [], x = 1; for (var i = 0; i < 3000; i++) { x = (x * 16807) % 2147483647; a.push(x); "
     "} a.sort(function (p, q) { return p - q; }); return a[0];",
     0},
    {"JSON",
     "var a = []; for (var i = 0; i < 1500; i++) a.push({id: i, name: 'n' + i, tags: ['x', 'y']}); "
     "return JSON.parse(JSON.stringify(a)).length;",
     0},
    {"property access",
     "var o = {a: 1, b: 2, c: {d: 3}}, s = 0; for (var i = 0; i < 100000; i++) { o.a = i; s += o.a "
     "+ o.b + o.c.d; } return s;",
     0},
    {"counting by key",
     "var o = {}, i, k; for (i = 0; i < 40000; i++) { k = 'k' + (i % 97); o[k] = (o[k] || 0) + 1; "
     "} return o.k5;",
     0},
    {"objects, methods",
     "function P(x, y) { this.x = x; this.y = y; } P.prototype.sum = function () { return this.x + "
     "this.y; }; var s = 0; for (var i = 0; i < 40000; i++) s += new P(i, 1).sum(); return s;",
     0},
    {"regular expressions",
     "var s = '', i, n = 0; for (i = 0; i < 300; i++) s += 'web-' + i + ' 200 ' + i * 3 + 'ms\\n'; "
     "s.split('\\n').forEach(function (l) { var m = /^(\\w+)-(\\d+) (\\d+) (\\d+)ms$/.exec(l); if "
     "(m) n += +m[4]; }); return n;",
     0},
    {"string scanning",
     "var s = new Array(1501).join('ab c'), n = 0; for (var i = 0; i < s.length; i++) if "
     "(s.charAt(i) === ' ') n++; return n;",
     1},
    {"queue by shift",
     "var q = [], n = 0, i; for (i = 0; i < 1000; i++) q.push(i); while (q.length) n += q.shift(); "
     "return n;",
     1},
};

#ifdef BENCH_MUJS
static void execute_mujs(void *context)
{
    js_State *state = js_newstate(NULL, NULL, 0);
    if (!state || js_dostring(state, context) != 0)
        die("libmujs", "the program failed");
    js_freestate(state);
}

static void measure_programs(void)
{
    double logarithms = 0;
    int count = 0;
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        const struct program *program = &programs[i];
        char *wrapped = NULL;
        if (asprintf(&wrapped, "(function () { %s })();", program->text) < 0)
            die("program", "no memory");
        struct work mujs = {execute_mujs, wrapped, 1, 0};
        struct work quickjs = {execute, new_request(program->text), 1, 0};
        double ratio = compare_works(&quickjs, &mujs);
        printf("%-24s %9.0f us  %9.0f us in libmujs  %5.2f x%s\n", program->name,
               quickjs.time * 1e6, mujs.time * 1e6, ratio,
               program->is_quadratic ? "  (quadratic in libmujs)" : "");
        fflush(stdout);
        if (!program->is_quadratic) {
            logarithms += log(ratio);
            count++;
        }
        pawl_request_free(quickjs.context);
        free(wrapped);
    }
    printf("geometric mean of the %d that are not quadratic: %.2f x  (target 0.50)\n", count,
           exp(logarithms / count));
}
#else
static void measure_programs(void)
{
    printf("small programs: libmujs, to compare with, is not here\n");
}
#endif

/* --- Threads -------------------------------------------------------------------------------------
 */

#define THREAD_RUNS 150

static void *execute_often(void *context)
{
    for (int i = 0; i < THREAD_RUNS; i++)
        execute(context);
    return NULL;
}

static double measure_threads(int count, double *processor)
{
    pthread_t threads[2];
    pawl_request *requests[2];
    double start = seconds(CLOCK_MONOTONIC);
    double used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < count; i++) {
        requests[i] = new_request(programs[1].text);
        if (pthread_create(&threads[i], NULL, execute_often, requests[i]) != 0)
            die("thread", "cannot be created");
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        pawl_request_free(requests[i]);
    }
    *processor = (seconds(CLOCK_PROCESS_CPUTIME_ID) - used) / (count * THREAD_RUNS);
    return count * THREAD_RUNS / (seconds(CLOCK_MONOTONIC) - start);
}

/* The processor's time says what the threads cost each other, also where others keep the machine
 * busy and the clock on the wall says nothing. */
static void compare_threads(void)
{
    double one_each;
    double two_each;
    double one = measure_threads(1, &one_each);
    double two = measure_threads(2, &two_each);
    printf("2 threads against 1: %.2f x the throughput; by processor time %.2f x  (target 1.60)\n",
           two / one, 2 * one_each / two_each);
}

/* --- Many runs -----------------------------------------------------------------------------------
 */

static size_t resident(void)
{
    size_t size = 0;
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%zu %zu", &size, &pages) != 2)
        die("/proc/self/statm", "cannot be read");
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void soak(unsigned count)
{
    static const char *const texts[] = {
        "const a = []; for (let i = 0; i < 500; i++) a.push({i, s: `${i}`}); return a.length",
        "await Promise.all([1, 2, 3].map(async (x) => x)); return new Map([[1, 2]]).get(1)",
        "try { null.x } catch (e) { console.log(e) } return 'x'.repeat(1000)",
        "",
    };
    pawl_request *requests[4];
    size_t before = 0;
    size_t resident_before = 0;
    const unsigned first = count / 10;
    for (int i = 0; i < 4; i++)
        requests[i] = new_request(texts[i]);
    for (unsigned i = 0; i < count; i++) {
        if (i == first) {
            before = mallinfo2().uordblks;
            resident_before = resident();
        }
        execute(requests[i % 4]);
    }
    const long grown = (long)(mallinfo2().uordblks - before);
    const long resident_grown = (long)(resident() - resident_before);
    printf("%u runs: the heap grew by %ld bytes, the process by %ld KiB\n", count - first, grown,
           resident_grown / 1024);
    for (int i = 0; i < 4; i++)
        pawl_request_free(requests[i]);
    if (grown > 64 * 1024 || resident_grown > 4 * 1024 * 1024)
        die("memory", "it grows");
}

int main(int argc, char **argv)
{
    pawl_error *error = NULL;
    if (pawl_registry_new(&registry, &error) != PAWL_OK ||
        pawl_registry_scan(registry, pawl_plugin_directory(), &error) != PAWL_OK ||
        pawl_registry_open(registry, "quickjs", "quickjs", NULL, &error) != PAWL_OK)
        die("registry", pawl_error_message(error));
    if (argc > 1 && strcmp(argv[1], "soak") == 0) {
        soak(argc > 2 ? (unsigned)atoi(argv[2]) : 100000);
    } else {
        measure_empty();
        measure_programs();
        compare_threads();
        soak(10000);
    }
    pawl_registry_free(registry);
    return 0;
}
