/* Programs of quickjs that are suspended: they go on from their images as if nothing had happened,
 * and no image, whoever made it, does more than end its run. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <pawl/pawl.h>

#include "core/record.h"
#include "core/request.h"
#include "tests/unit/recorded.h"
#include "tests/unit/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Of the plugin, which is linked in. */
const struct pawl_provider *pawl_provider_entry_v1(void);

/* --- The same as if it had not been suspended ------------------------------------------------ */

static struct recorded host;

static void begin(void)
{
    CU_ASSERT_EQUAL_FATAL(recorded_begin_with(&host, pawl_provider_entry_v1()), PAWL_OK);
}

/* A new host, with another instance of the engine, that has the tape of the last one. */
static void begin_anew(void)
{
    struct buffer text = host.tape.text;
    host.tape.text = (struct buffer){0};
    recorded_end(&host);
    begin();
    host.tape.text = text;
}

/* The outcome and the logs, without the calls. */
static char *run(pawl_request *request)
{
    pawl_result *result = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_execute(host.registry, request, &result, NULL), PAWL_OK);
    char *summary = recorded_summary(result);
    CU_ASSERT_PTR_NOT_NULL_FATAL(summary);
    char *calls = strstr(summary, "\ntools.");
    if (calls != NULL)
        *calls = '\0';
    pawl_result_free(result);
    pawl_request_free(request);
    return summary;
}

static pawl_request *new_request(const char *program, const char *language)
{
    pawl_request *request = NULL;
    CU_ASSERT_EQUAL_FATAL(recorded_request(&host, program, strlen(program), &request), PAWL_OK);
    pawl_request_set_language(request, language, NULL);
    return request;
}

static pawl_record *read_tape(void)
{
    pawl_record *record = NULL;
    pawl_error *error = NULL;
    if (pawl_record_read(host.tape.text.data, host.tape.text.size, &record, &error) != PAWL_OK)
        fprintf(stderr, "# %s\n", pawl_error_message(error));
    pawl_error_free(error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    return record;
}

static pawl_request *resume_request(const pawl_record *record, bool records)
{
    pawl_request *request = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_record_request(record, 0, &request, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(recorded_add_functions(&host, request), PAWL_OK);
    if (records)
        CU_ASSERT_EQUAL_FATAL(recorded_set_tape(&host, request), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_request_set_resume(request, record, NULL), PAWL_OK);
    return request;
}

enum way { FROM_IMAGE, FROM_IMAGE_UNRECORDED, BY_REPLAY };

/* Goes on with the tape in another instance. A replay would stumble over the arguments of the first
 * call, which is tools.echo("probe"): an image does not. */
static char *resume(enum way way)
{
    begin_anew();
    char *text = host.tape.text.data;
    char *probe = strstr(text, "\"arguments\":[\"probe\"]");
    char *image = strstr(text, ",\"image\":\"");
    if (way == BY_REPLAY) {
        if (image != NULL)
            memcpy(image + 2, "nomore", 6 - 1);
    } else {
        CU_ASSERT_PTR_NOT_NULL_FATAL(probe);
        CU_ASSERT_PTR_NOT_NULL_FATAL(image);
        memcpy(probe + 14, "eborp", 5);
    }
    pawl_record *record = read_tape();
    CU_ASSERT_EQUAL(record->image.size > 0, way != BY_REPLAY);
    if (probe != NULL)
        memcpy(probe + 14, "probe", 5);
    if (image != NULL)
        memcpy(image + 2, "image", 5);
    char *summary = run(resume_request(record, way != FROM_IMAGE_UNRECORDED));
    pawl_record_free(record);
    return summary;
}

/* Suspends a program at its tools.later("!"), and returns what is on the tape. To be freed. */
static char *suspend(const char *program, const char *language)
{
    begin();
    atomic_store(&recorded_undecided, '!');
    char *summary = run(new_request(program, language));
    if (strncmp(summary, "suspended ", 10) != 0)
        TEST_TEXT(summary, program);
    free(summary);
    return strdup(host.tape.text.data);
}

static void check(const char *program, const char *expected)
{
    begin();
    char *whole = run(new_request(program, "javascript"));
    recorded_end(&host);
    if (expected != NULL)
        TEST_TEXT(whole, expected);
    char *tape = suspend(program, "javascript");
    for (enum way way = FROM_IMAGE; way <= BY_REPLAY; way++) {
        buffer_clear(&host.tape.text);
        buffer_string(&host.tape.text, tape);
        char *rest = resume(way);
        if (strcmp(rest, whole) != 0)
            fprintf(stderr, "# way %d of: %s\n", way, program);
        TEST_TEXT(rest, whole);
        CU_ASSERT_EQUAL(recorded_made[LATER], 1);
        free(rest);
    }
    recorded_end(&host);
    free(tape);
    free(whole);
}

#define PROBE      "await tools.echo('probe');"
#define LATER_CALL "await tools.later('!')"

static void values_that_are_kept(void)
{
    check(PROBE "const x = 5; const y = " LATER_CALL "; return x + y", "ok 1 \"6\"");
    check(PROBE "const r = await Promise.all([tools.echo(1), tools.later('!'), tools.echo(3), "
                "tools.constant()]); return r",
          "ok 1 \"[[{\\\"x\\\":1}],1,[{\\\"x\\\":3}],[1,2]]\"");
    check(PROBE "const r = await Promise.allSettled([tools.fail(), tools.later('!'), "
                "tools.denied(), tools.alone()]); return r.map(x => x.status[0]).join('')",
          "ok 1 \"\\\"rfrf\\\"\"");
    check(PROBE "const m = new Map([[{}, 1], ['k', new Set([1, 2])]]), w = new WeakMap(), k = {}; "
                "w.set(k, 7); let n = 0; const up = () => ++n; up(); "
                "function* count() { let i = 0; while (true) yield i++ }; const g = count(); "
                "g.next(); class P { #x = 3; get x() { return this.#x } static s = 9 }; "
                "const p = new P(), s = Symbol('s'), o = {[s]: 4}, big = 2n ** 70n, "
                "re = /a/g, b = new Uint8Array([1, 2, 3]), px = new Proxy({}, {get: () => 'px'}); "
                "re.exec('xaa'); " LATER_CALL
                "; up(); return [m.size, [...m.get('k')], w.get(k), n, g.next().value, p.x, P.s, "
                "o[s], String(big), re.lastIndex, [...b], px.any, new Date(0).getTime()]",
          "ok 1 \"[2,[1,2],7,2,1,3,9,4,\\\"1180591620717411303424\\\",2,[1,2,3],\\\"px\\\",0]\"");
    check(PROBE "async function* g() { for (let i = 0; i < 3; i++) { if (i === 1) " LATER_CALL
                "; yield i } }; const out = []; for await (const v of g()) out.push(v); "
                "return out",
          "ok 1 \"[0,1,2]\"");
    check(PROBE "console.log('before'); const v = " LATER_CALL "; console.log('after', v)",
          "ok 0 \"null\"\nlog \"before\"\nlog \"after 1\"");
    check("async function main() { " PROBE "const v = " LATER_CALL "; return v + 6 }",
          "ok 1 \"7\"");
    check("export default async () => { " PROBE "return " LATER_CALL " }", "ok 1 \"1\"");
    check(PROBE "tools.later('!').then(v => console.log('got', v)); return 5",
          "ok 1 \"5\"\nlog \"got 1\"");
}

static void failures_that_are_kept(void)
{
    check(PROBE "const log = []; async function inner(n) { try { if (n === 0) { " LATER_CALL
                "; throw new Error('x') } await inner(n - 1) } catch (e) { log.push(e.message + n);"
                " throw e } finally { log.push('f' + n); await tools.echo(n) } } "
                "try { await inner(2) } catch (e) { log.push(e.message) } return log.join()",
          "ok 1 \"\\\"x0,f0,x1,f1,x2,f2,x\\\"\"");
    check(PROBE "\nlet kept;\ntry { await tools.fail() } catch (e) { kept = e }\n" LATER_CALL
                ";\nif (!(kept instanceof ToolError) || kept.tool !== 'fail') return 'lost';\n"
                "throw kept",
          "runtime 3:19 \"ToolError: token=[redacted] is wrong\"");
    check(PROBE "\nlet kept;\ntry { await tools.denied() } catch (e) { kept = e }\n" LATER_CALL
                ";\nthrow kept",
          "stage_denied 3:19 \"ToolError: tools.denied: denied by the stage 'gate': so it is\"");
    check(PROBE "\nlet kept;\ntry { await tools.broken() } catch (e) { kept = e }\n" LATER_CALL
                ";\nthrow kept",
          NULL);
    check(PROBE "\n" LATER_CALL ";\nreturn null.x", NULL);
    check(PROBE "const p = Promise.reject(new Error('late')); " LATER_CALL
                "; try { await p } catch (e) { return e.message }",
          "ok 1 \"\\\"late\\\"\"");
    check(PROBE "Promise.reject(new Error('never'));\n" LATER_CALL "; return 1", NULL);
    check(PROBE LATER_CALL "; return [1, NaN]", NULL);
    check(PROBE LATER_CALL "; await new Promise(() => {})", NULL);
}

static void types_are_erased_again(void)
{
    check("interface A { b: string }\nconst x: number = 1 as any;\nawait tools.echo('probe');\n"
          "const y = (await tools.later('!')) as number;\nreturn x + y",
          "ok 1 \"2\"");
    check("type T = string;\nconst x: T = 'x';\nawait tools.echo('probe');\n"
          "await tools.later('!');\nthrow new Error(x)",
          "runtime 5:7 \"Error: x\"");
}

static void timers_go_on(void)
{
    check(PROBE "let n = 0; const p = new Promise(r => { const i = setInterval(() => { if (++n === "
                "3) { clearInterval(i); r(n) } }, 5) }); setTimeout(() => { n += 10 }, 3600000); "
                "await Promise.all([p, tools.later('!')]); return n",
          "ok 1 \"3\"");
    check(PROBE "const order = []; setTimeout(() => order.push('b'), 20); "
                "setTimeout(x => order.push(x), 10, 'a'); const c = setTimeout(() => "
                "order.push('c'), 3600000); " LATER_CALL
                "; clearTimeout(c); await new Promise(r => setTimeout(r, 40)); return order.join()",
          "ok 1 \"\\\"a,b\\\"\"");
}

static void much_memory_is_kept(void)
{
    check(PROBE "const a = []; for (let i = 0; i < 60000; i++) a.push({i, s: 'x' + i}); " LATER_CALL
                "; return [a.length, a[59999].s, a.reduce((t, o) => t + o.i, 0)]",
          "ok 1 \"[60000,\\\"x59999\\\",1799970000]\"");
}

/* Chance and time come from the same record, whether the program is replayed or not. */
static void chance_goes_on(void)
{
    static const char program[] = PROBE "const r = [Math.random(), Date.now()]; " LATER_CALL
                                        "; r.push(Math.random()); return r";
    char *tape = suspend(program, "javascript"), *rest[2];
    for (int i = 0; i < 2; i++) {
        buffer_clear(&host.tape.text);
        buffer_string(&host.tape.text, tape);
        rest[i] = resume(i == 0 ? FROM_IMAGE : BY_REPLAY);
    }
    TEST_TEXT(rest[0], rest[1]);
    CU_ASSERT_EQUAL(strncmp(rest[0], "ok 1 \"[0.", 9), 0);
    free(rest[0]);
    free(rest[1]);
    free(tape);
    recorded_end(&host);
}

static void it_can_be_suspended_again(void)
{
    static const char program[] = PROBE "const r = []; for (const c of ['!', '?', '!']) "
                                        "r.push(await tools.later(c), await tools.echo(c)); "
                                        "return r.length";
    free(suspend(program, "javascript"));
    char *rest = resume(FROM_IMAGE); /* the new host decides */
    TEST_TEXT(rest, "ok 1 \"6\"");
    free(rest);
    recorded_end(&host);

    free(suspend(program, "javascript"));
    static const int undecided[] = {'!', '?', '!', 0};
    for (size_t i = 0; i < COUNT(undecided); i++) {
        pawl_record *record = read_tape();
        CU_ASSERT(record->image.size > 0);
        atomic_store(&recorded_undecided, undecided[i]);
        rest = run(resume_request(record, true));
        pawl_record_free(record);
        rest[undecided[i] != 0 ? strcspn(rest, " ") : strlen(rest)] = '\0';
        TEST_TEXT(rest, undecided[i] != 0 ? "suspended" : "ok 1 \"6\"");
        free(rest);
    }
    CU_ASSERT_EQUAL(recorded_made[LATER], 3);
    CU_ASSERT_EQUAL(recorded_made[ECHO], 4);

    /* And all of it can be replayed. */
    pawl_record *record = read_tape();
    pawl_request *request = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_record_request(record, 1, &request, NULL), PAWL_OK);
    pawl_request_set_replay(request, record);
    rest = run(request);
    TEST_TEXT(rest, "ok 1 \"6\"");
    free(rest);
    pawl_record_free(record);
    recorded_end(&host);
}

/* A synchronous call waits inside of the engine: there is no image, but the record. */
static void synchronous_programs_are_replayed(void)
{
    char *tape = suspend("var a = tools.echo('probe'), b = tools.later('!'); return b + 1",
                         "javascript-es5");
    CU_ASSERT_PTR_NULL(strstr(tape, "\"image\""));
    char *rest = resume(BY_REPLAY);
    TEST_TEXT(rest, "ok 1 \"2\"");
    free(rest);
    free(tape);
    recorded_end(&host);
}

static void memory_that_it_may_not_have(void)
{
    char *tape =
        suspend(PROBE "const a = []; for (let i = 0; i < 300000; i++) a.push({i}); " LATER_CALL
                      "; return a.length",
                "javascript");
    begin_anew();
    pawl_record *record = read_tape();
    CU_ASSERT(record->image.size > 0);
    pawl_request *request = resume_request(record, true);
    struct pawl_budget budget = pawl_budget_empty();
    budget.max_memory = 4u << 20;
    pawl_request_add_budget(request, &budget);
    char *rest = run(request);
    rest[strcspn(rest, " ")] = '\0';
    TEST_TEXT(rest, "budget_memory");
    CU_ASSERT_EQUAL(recorded_made[LATER], 0);
    free(rest);
    pawl_record_free(record);
    free(tape);
    recorded_end(&host);
}

/* --- Images of strangers --------------------------------------------------------------------- */

/* A run that is over after a few milliseconds, and whose calls all settle. */
struct bare {
    struct pawl_run run;
    struct pawl_budget budget;
    struct pawl_policy policy;
    uint64_t until, next_call, next_settled;
    int64_t time;
    int ends, services;
};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint32_t bare_cancelled(void *context)
{
    const struct bare *bare = context;
    return now() >= bare->until ? PAWL_END_DEADLINE : PAWL_END_NONE;
}

static int32_t bare_call(void *context, uint32_t function, const char *arguments, size_t size,
                         uint64_t *id)
{
    struct bare *bare = context;
    CU_ASSERT(function < RECORDED_FUNCTIONS);
    CU_ASSERT(size >= 2 && arguments[0] == '[' && arguments[size - 1] == ']');
    bare->services++;
    *id = ++bare->next_call;
    return bare_cancelled(context) != PAWL_END_NONE ? PAWL_E_ENDED : PAWL_OK;
}

static int32_t bare_next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    struct bare *bare = context;
    bare->services++;
    if (bare_cancelled(context) != PAWL_END_NONE || bare->services > 1000)
        return PAWL_E_ENDED;
    if (bare->next_settled >= bare->next_call)
        return timeout > 0 ? PAWL_E_TIMEOUT : PAWL_E_STATE;
    settlement->id = ++bare->next_settled;
    bool fails = settlement->id % 3 == 0;
    settlement->status = fails ? PAWL_SETTLED_ERROR : PAWL_SETTLED_OK;
    settlement->code = fails ? "tool_error" : NULL;
    settlement->text = (struct pawl_text){.data = "[1]", .size = 3};
    return PAWL_OK;
}

static int32_t bare_fd(void *context)
{
    (void)context;
    return PAWL_E_UNSUPPORTED;
}

static int32_t bare_log(void *context, const char *text, size_t size)
{
    (void)text, (void)size;
    return bare_cancelled(context) != PAWL_END_NONE ? PAWL_E_ENDED : PAWL_OK;
}

static int32_t bare_discover(void *context, const char *query, size_t size,
                             const struct pawl_sink *answer)
{
    (void)context, (void)query, (void)size;
    answer->write(answer->context, "[]", 2);
    return PAWL_OK;
}

static int32_t bare_clock(void *context, int64_t *nanoseconds)
{
    struct bare *bare = context;
    *nanoseconds = bare->time += 1000000;
    return bare_cancelled(context) != PAWL_END_NONE ? PAWL_E_ENDED : PAWL_OK;
}

static int32_t bare_random(void *context, void *buffer, size_t size)
{
    (void)context;
    memset(buffer, 7, size);
    return PAWL_OK;
}

static int32_t bare_fact(void *context, const char *name, const char *json, size_t size)
{
    (void)context, (void)name, (void)json, (void)size;
    return PAWL_OK;
}

static int32_t bare_value(void *context, const char *json, size_t size)
{
    struct bare *bare = context;
    (void)json, (void)size;
    bare->ends++;
    return PAWL_OK;
}

static int32_t bare_fail(void *context, const struct pawl_failure *failure)
{
    struct bare *bare = context;
    CU_ASSERT_PTR_NOT_NULL(failure->kind);
    bare->ends++;
    return PAWL_OK;
}

static int32_t bare_suspend(void *context, const void *image, size_t size)
{
    (void)context, (void)image, (void)size;
    return PAWL_E_STATE;
}

static void swallow(void *context, const char *text, size_t size)
{
    struct buffer *why = context;
    buffer_append(why, text, size);
}

static void *engine;
static struct buffer why;
static unsigned outcomes[3]; /* refused, broken off, ended */

/* What comes of an image, which stands at the very end of its memory. */
static int32_t run_image(const pawl_record *record, const void *image, size_t size, uint64_t memory)
{
    const pawl_request *request = record->request;
    struct bare bare = {
        .budget = {.header = PAWL_HEADER(BUDGET, bare.budget), .max_memory = memory},
        .policy = {.header = PAWL_HEADER(POLICY, bare.policy)},
        .until = now() + 10000000,
        .next_call = 2,
        .next_settled = 1,
        .time = 1700000000000000000,
    };
    char *copy = malloc(size > 0 ? size : 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    if (size > 0)
        memcpy(copy, image, size);
    bare.run = (struct pawl_run){
        .header = PAWL_HEADER(RUN, bare.run),
        .context = &bare,
        .program = {.data = request->program, .size = (uint32_t)request->program_size},
        .language = "javascript",
        .budget = &bare.budget,
        .policy = &bare.policy,
        .namespaces = request->views,
        .namespace_count = (uint32_t)request->namespace_count,
        .flags = PAWL_RUN_DISCOVER | PAWL_RUN_RECORD,
        .deadline = bare.until,
        .call = bare_call,
        .next = bare_next,
        .settled_fd = bare_fd,
        .log = bare_log,
        .discover = bare_discover,
        .cancelled = bare_cancelled,
        .clock = bare_clock,
        .random = bare_random,
        .fact = bare_fact,
        .value = bare_value,
        .fail = bare_fail,
        .image = {.data = copy, .size = (uint32_t)size},
        .last_call = 2,
        .in_flight = 1,
        .suspend = bare_suspend,
    };
    buffer_clear(&why);
    const struct pawl_sink sink = {
        .header = PAWL_HEADER(SINK, sink), .context = &why, .write = swallow};
    int32_t status = pawl_provider_entry_v1()->run(engine, &bare.run, &sink);
    CU_ASSERT(bare.ends <= 1);
    CU_ASSERT(status <= PAWL_OK);
    CU_ASSERT(status == PAWL_OK || why.size > 0);
    if (status != PAWL_OK)
        CU_ASSERT_EQUAL(bare.ends, 0);
    if (status == PAWL_E_UNSUPPORTED) /* the host helps itself: nothing may have happened */
        CU_ASSERT_EQUAL(bare.services, 0);
    outcomes[status == PAWL_E_UNSUPPORTED ? 0 : status == PAWL_OK ? 2 : 1]++;
    free(copy);
    return status;
}

/* The record of a suspended program, for a new instance. */
static pawl_record *suspended_record(const char *program)
{
    free(suspend(program, "javascript"));
    pawl_record *record = read_tape();
    CU_ASSERT_FATAL(record->image.size > 0);
    recorded_end(&host);
    const struct pawl_host none = {.header = PAWL_HEADER(HOST, none)};
    const struct pawl_sink sink = {
        .header = PAWL_HEADER(SINK, sink), .context = &why, .write = swallow};
    memset(outcomes, 0, sizeof(outcomes));
    CU_ASSERT_EQUAL_FATAL(pawl_provider_entry_v1()->create(&none, "{}", &sink, &engine), PAWL_OK);
    return record;
}

/* A bit of everything. */
static const char rich[] =
    PROBE "const m = new Map([[1, 2]]); let kept; setTimeout(() => {}, 5); "
          "setInterval(() => m.set(m.size, 'x'), 10); Promise.reject(new Error('r')); "
          "const v = " LATER_CALL "; for (let i = 0; i < 20; i++) m.set(i, {v}); "
          "try { await tools.fail('f') } catch (e) { kept = e } "
          "console.log(m, kept); await new Promise(r => setTimeout(r, 20)); return [...m]";

static void end_strangers(pawl_record *record)
{
    /* The instance is as good as before. */
    CU_ASSERT_EQUAL(run_image(record, record->image.data, record->image.size, 0), PAWL_OK);
    pawl_provider_entry_v1()->destroy(engine);
    pawl_record_free(record);
    buffer_clear(&why);
}

static void images_that_end_too_early(void)
{
    pawl_record *record = suspended_record(rich);
    const char *image = record->image.data;
    size_t size = record->image.size;
    /* The head and the arrays byte by byte; of the pages enough. */
    for (size_t length = 0; length < size; length += length < 4096 ? 1 : 37) {
        if (run_image(record, image, length, 0) != PAWL_E_UNSUPPORTED)
            CU_FAIL("a prefix was taken for an image");
    }
    char *longer = malloc(size + 8);
    CU_ASSERT_PTR_NOT_NULL_FATAL(longer);
    memcpy(longer, image, size);
    memset(longer + size, 0, 8);
    for (size_t more = 1; more <= 8; more++)
        CU_ASSERT_EQUAL(run_image(record, longer, size + more, 0), PAWL_E_UNSUPPORTED);
    free(longer);
    end_strangers(record);
}

static void images_of_another_build(void)
{
    pawl_record *record = suspended_record(rich);
    char *image = malloc(record->image.size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(image);
    for (size_t at = 0; at < 96; at++) { /* the magic, the key, the template's hash */
        memcpy(image, record->image.data, record->image.size);
        image[at] ^= 1;
        if (run_image(record, image, record->image.size, 0) == PAWL_E_UNSUPPORTED &&
            why.data != NULL)
            outcomes[0] += strcmp(why.data, "the program was suspended by another build") == 0;
    }
    CU_ASSERT(outcomes[0] > 96);
    free(image);
    end_strangers(record);
}

static void images_that_need_too_much_memory(void)
{
    pawl_record *record = suspended_record(
        PROBE "const a = []; for (let i = 0; i < 100000; i++) a.push({i}); " LATER_CALL
              "; return a.length");
    const char *image = record->image.data;
    size_t size = record->image.size;
    CU_ASSERT_EQUAL(run_image(record, image, size, 1), PAWL_E_UNSUPPORTED);
    CU_ASSERT_EQUAL(run_image(record, image, size, 1u << 20), PAWL_E_UNSUPPORTED);
    TEST_TEXT(why.data,
              "the image of the suspended program is malformed, or needs more memory than "
              "it may have");
    CU_ASSERT_EQUAL(run_image(record, image, size, 64u << 20), PAWL_OK);
    end_strangers(record);
}

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

/* Changes something: bytes, or whole words to numbers that hurt. */
static void mutate(char *image, size_t size, size_t from)
{
    static const uint32_t numbers[] = {
        0,          1,          2,          0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
        0x00010000, 0xfff80000, 0x0000ffff, 4096,       0xbfff,     0xc000,     UINT32_MAX / 8};
    for (uint32_t changes = 1 + random_below(6); changes > 0; changes--) {
        size_t at = from + random_below((uint32_t)(size - from));
        uint32_t number = numbers[random_below(COUNT(numbers))];
        switch (random_below(4)) {
        case 0:
            image[at] ^= (char)(1u << random_below(8));
            break;
        case 1:
            image[at] = (char)random_below(256);
            break;
        case 2:
            at -= at % 4;
            if (at + 4 <= size && at >= from)
                memcpy(image + at, &number, 4);
            break;
        default: /* a piece of it elsewhere */
            if (size - at > 64)
                memmove(image + from + random_below((uint32_t)(size - from - 64)), image + at, 64);
        }
    }
}

static void images_that_were_changed(void)
{
    enum { MANY = 3000 };
    pawl_record *record = suspended_record(rich);
    size_t size = record->image.size;
    char *image = malloc(size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(image);
    random_state = 20240607;
    for (int i = 0; i < MANY; i++) {
        memcpy(image, record->image.data, size);
        /* Everywhere; in the counts and arrays; in the first pages. */
        size_t end = i % 3 == 0 ? size : i % 3 == 1 ? 512 : 4096;
        mutate(image, end < size ? end : size, 88);
        run_image(record, image, size, 0);
    }
    printf("# %u refused, %u broken off, %u ended\n", outcomes[0], outcomes[1], outcomes[2]);
    CU_ASSERT(outcomes[0] > 0 && outcomes[2] > 0);
    free(image);
    end_strangers(record);
}

int main(void)
{
    static CU_TestInfo same[] = {
        {"values that are kept", values_that_are_kept},
        {"failures that are kept", failures_that_are_kept},
        {"types are erased again", types_are_erased_again},
        {"timers go on", timers_go_on},
        {"much memory is kept", much_memory_is_kept},
        {"chance goes on", chance_goes_on},
        {"it can be suspended again", it_can_be_suspended_again},
        {"synchronous programs are replayed", synchronous_programs_are_replayed},
        {"memory that it may not have", memory_that_it_may_not_have},
        CU_TEST_INFO_NULL,
    };
    static CU_TestInfo hostile[] = {
        {"end too early", images_that_end_too_early},
        {"are of another build", images_of_another_build},
        {"need too much memory", images_that_need_too_much_memory},
        {"were changed", images_that_were_changed},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {
        {"a suspended program", NULL, NULL, NULL, NULL, same},
        {"images that", NULL, NULL, NULL, NULL, hostile},
        CU_SUITE_INFO_NULL,
    };
    return test_main(suites);
}
