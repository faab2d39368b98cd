/* Runs, driven by a provider that the test itself is: calls, budgets, the deadline, cancellation,
 * the ring, the output's ledger, and what becomes of a provider that breaks its contract. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "tests/unit/test.h"

/* --- A provider that does what the test says ------------------------------------------------ */

typedef int32_t script(const struct pawl_run *run, const struct pawl_sink *why);

static script *current_script;

static int32_t scripted_create(const struct pawl_host *host, const char *config,
                               const struct pawl_sink *why, void **instance)
{
    (void)host, (void)config, (void)why;
    *instance = NULL;
    return PAWL_OK;
}

static void scripted_destroy(void *instance)
{
    (void)instance;
}

static uint32_t scripted_level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

static int32_t scripted_supports(void *instance, const struct pawl_budget *budget,
                                 const struct pawl_sink *why, uint32_t *missing)
{
    (void)instance, (void)budget, (void)why, (void)missing;
    return PAWL_OK;
}

static const char *const *scripted_languages(void *instance)
{
    (void)instance;
    static const char *const languages[] = {"javascript", NULL};
    return languages;
}

static int32_t scripted_run(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)instance;
    return current_script(run, why);
}

static const struct pawl_provider scripted = {
    .header = PAWL_HEADER(PROVIDER, scripted),
    .name = "scripted",
    .version = "1",
    .description = "does what a test says",
    .threads = PAWL_THREADS_PARALLEL,
    .create = scripted_create,
    .destroy = scripted_destroy,
    .level = scripted_level,
    .supports = scripted_supports,
    .languages = scripted_languages,
    .run = scripted_run,
};

/* --- The host --------------------------------------------------------------------------------- */

static sem_t let_go;    /* what a deaf function waits for */
static sem_t cancelled; /* the token is not in use any more */
static pawl_registry *registry;
static pawl_request *request;
static pawl_ring *ring;

static int set_up(void)
{
    sem_init(&let_go, 0, 0);
    sem_init(&cancelled, 0, 0);
    return pawl_registry_new(&registry, NULL) != PAWL_OK ||
           pawl_registry_add(registry, &scripted, "scripted", NULL, NULL) != PAWL_OK;
}

static int tear_down(void)
{
    pawl_registry_free(registry);
    return 0;
}

static void begin(void)
{
    ring = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_request_new(&request, NULL), PAWL_OK);
    pawl_request_set_level(request, PAWL_LEVEL_PROCESS, NULL);
    pawl_request_set_program(request, "line 1\nline 2\n", 14, NULL);
}

static void end(pawl_result *result)
{
    pawl_result_free(result);
    pawl_request_free(request);
    pawl_ring_free(ring);
}

static pawl_result *run(script *what)
{
    current_script = what;
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    int status = pawl_execute(registry, request, &result, &error);
    if (status != PAWL_OK)
        printf("# %s\n", pawl_error_message(error));
    pawl_error_free(error);
    CU_ASSERT_EQUAL_FATAL(status, PAWL_OK);
    return result;
}

static void budget(uint64_t wall_clock, uint64_t calls, uint64_t bytes)
{
    struct pawl_budget asked = pawl_budget_empty();
    asked.wall_clock = wall_clock;
    asked.max_calls = calls;
    asked.max_bytes = bytes;
    pawl_request_add_budget(request, &asked);
}

static void add(const char *name, const char *signature, int concurrent,
                pawl_host_function function)
{
    struct pawl_function_options options = {
        .size = sizeof(options), .signature = signature, .concurrent = concurrent};
    pawl_error *error = NULL;
    int status =
        pawl_request_add_function(request, "tools", name, &options, function, NULL, &error);
    pawl_error_free(error);
    CU_ASSERT_EQUAL_FATAL(status, PAWL_OK);
}

static void echo(pawl_call *call, void *data)
{
    (void)data;
    size_t size;
    const char *arguments = pawl_call_arguments(call, &size);
    pawl_call_return(call, arguments, size);
}

static void fail_always(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_fail(call, "no such host; token=abcdefghijklmnop");
}

static void say_nothing(pawl_call *call, void *data)
{
    (void)call, (void)data;
}

static void say_garbage(pawl_call *call, void *data)
{
    (void)data;
    CU_ASSERT_EQUAL(pawl_call_return(call, "{]", 2), PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(pawl_call_return(call, "1", 1), PAWL_E_STATE);
}

/* Waits until it is told that nobody waits for it. */
static void wait_for_cancel(pawl_call *call, void *data)
{
    (void)data;
    struct pollfd told = {.fd = pawl_call_cancel_fd(call), .events = POLLIN};
    poll(&told, 1, -1);
    CU_ASSERT_TRUE(pawl_call_cancelled(call));
    pawl_call_return(call, "\"late\"", 6);
}

static pawl_cancel *token;

/* Ends its run and does not listen. */
static void ignore_cancel(pawl_call *call, void *data)
{
    (void)data;
    pawl_cancel_now(token);
    sem_post(&cancelled);
    sem_wait(&let_go);
    pawl_call_return(call, "\"late\"", 6);
}

/* --- Helpers of scripts ----------------------------------------------------------------------- */

static int32_t value(const struct pawl_run *run, const char *json)
{
    return run->value(run->context, json, json != NULL ? strlen(json) : 0);
}

static uint64_t call(const struct pawl_run *run, uint32_t function, const char *arguments)
{
    uint64_t id = 0;
    CU_ASSERT_EQUAL(run->call(run->context, function, arguments, strlen(arguments), &id), PAWL_OK);
    return id;
}

static struct pawl_settlement next(const struct pawl_run *run)
{
    struct pawl_settlement settlement = {.header = PAWL_HEADER(SETTLEMENT, settlement)};
    CU_ASSERT_EQUAL(run->next(run->context, -1, &settlement), PAWL_OK);
    return settlement;
}

static int32_t fail(const struct pawl_run *run, const char *kind, const char *message,
                    uint64_t failed_call)
{
    struct pawl_failure failure = {
        .kind = kind,
        .message = {.data = message, .size = (uint32_t)strlen(message)},
        .call = failed_call,
        .line = 2,
        .column = 3,
    };
    failure.header = (struct pawl_header)PAWL_HEADER(FAILURE, failure);
    return run->fail(run->context, &failure);
}

static const struct pawl_call_record *record(const pawl_result *result, size_t index)
{
    const struct pawl_call_record *found = pawl_result_call(result, index);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    return found;
}

/* --- The end
 * -------------------------------------------------------------------------------------- */

static int32_t return_one(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    CU_ASSERT_EQUAL(run->program.size, 14);
    TEST_TEXT(run->language, "javascript");
    return value(run, "1");
}

static void a_value_comes_back(void)
{
    begin();
    pawl_result *result = run(return_one);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    CU_ASSERT_TRUE(pawl_result_has_value(result));
    TEST_TEXT(pawl_result_value(result, NULL), "1");
    TEST_TEXT(pawl_result_provider(result), "scripted");
    CU_ASSERT_EQUAL(pawl_result_level(result), PAWL_LEVEL_PROCESS);
    CU_ASSERT_PTR_NULL(pawl_result_kind(result));
    end(result);
}

static int32_t return_nothing(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    CU_ASSERT_EQUAL(value(run, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(value(run, "2"), PAWL_E_STATE);
    CU_ASSERT_EQUAL(fail(run, "runtime", "too late", 0), PAWL_E_STATE);
    CU_ASSERT_EQUAL(run->log(run->context, "late", 4), PAWL_E_STATE);
    uint64_t id;
    CU_ASSERT_EQUAL(run->call(run->context, 0, "[]", 2, &id), PAWL_E_STATE);
    return PAWL_OK;
}

static void the_end_is_said_once(void)
{
    begin();
    pawl_result *result = run(return_nothing);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    CU_ASSERT_FALSE(pawl_result_has_value(result));
    TEST_TEXT(pawl_result_value(result, NULL), "null");
    CU_ASSERT_PTR_NOT_NULL(strstr(pawl_result_describe(result, NULL), "Nothing was returned"));
    end(result);
}

static int32_t fail_runtime(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    return fail(run, "runtime", "x is not defined", 0);
}

static void a_failure_has_its_place(void)
{
    begin();
    pawl_result *result = run(fail_runtime);
    CU_ASSERT_FALSE(pawl_result_ok(result));
    TEST_TEXT(pawl_result_kind(result), "runtime");
    TEST_TEXT(pawl_result_message(result, NULL), "x is not defined");
    CU_ASSERT_EQUAL(pawl_result_line(result), 2);
    CU_ASSERT_EQUAL(pawl_result_column(result), 3);
    CU_ASSERT_PTR_NULL(pawl_result_value(result, NULL));
    end(result);
}

static int32_t fail_beyond_the_program(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_failure failure = {.kind = "runtime", .line = 4, .column = 1};
    failure.header = (struct pawl_header)PAWL_HEADER(FAILURE, failure);
    return run->fail(run->context, &failure);
}

static void a_place_outside_the_program_is_none(void)
{
    begin();
    pawl_result *result = run(fail_beyond_the_program);
    TEST_TEXT(pawl_result_kind(result), "runtime");
    CU_ASSERT_EQUAL(pawl_result_line(result), 0);
    CU_ASSERT_EQUAL(pawl_result_column(result), 0);
    end(result);
}

static int32_t broken_value(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    return value(run, "{\"a\":}");
}

static int32_t broken_kind(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    return fail(run, "deadline", "says who", 0);
}

static int32_t broken_silence(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)run, (void)why;
    return PAWL_OK;
}

static int32_t broken_provider(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)run;
    why->write(why->context, "it broke", 8);
    return PAWL_E_SYSTEM;
}

static int32_t unavailable_provider(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)run, (void)why;
    return PAWL_E_UNAVAILABLE;
}

static void a_broken_provider_is_told_apart(void)
{
    static const struct {
        script *what;
        const char *kind;
        const char *says;
    } cases[] = {
        {broken_value, "protocol", "not JSON"},
        {broken_kind, "protocol", "'deadline'"},
        {broken_silence, "protocol", "without a value"},
        {broken_provider, "worker_exit", "it broke"},
        {unavailable_provider, "sandbox_unavailable", "did not say why"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin();
        pawl_result *result = run(cases[i].what);
        TEST_TEXT(pawl_result_kind(result), cases[i].kind);
        CU_ASSERT_PTR_NOT_NULL(strstr(pawl_result_message(result, NULL), cases[i].says));
        end(result);
    }
}

/* --- Calls
 * ----------------------------------------------------------------------------------------- */

static int32_t call_echo(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    CU_ASSERT_EQUAL(run->namespace_count, 1);
    TEST_TEXT(run->namespaces[0]->name, "tools");
    TEST_TEXT(run->namespaces[0]->functions[0]->name, "echo");
    uint64_t id = call(run, 0, "[\"a\",2]");
    struct pawl_settlement settled = next(run);
    CU_ASSERT_EQUAL(settled.id, id);
    CU_ASSERT_EQUAL(settled.status, PAWL_SETTLED_OK);
    CU_ASSERT_PTR_NULL(settled.code);
    struct pawl_settlement none = {.header = PAWL_HEADER(SETTLEMENT, none)};
    int32_t status = run->value(run->context, settled.text.data, settled.text.size);
    CU_ASSERT_EQUAL(run->next(run->context, -1, &none), PAWL_E_STATE);
    return status;
}

static void a_call_reaches_its_function(void)
{
    begin();
    add("echo", "echo(a, b?)", 0, echo);
    pawl_result *result = run(call_echo);
    TEST_TEXT(pawl_result_value(result, NULL), "{\"a\":\"a\",\"b\":2}");
    CU_ASSERT_EQUAL_FATAL(pawl_result_calls(result), 1);
    TEST_TEXT(record(result, 0)->name, "tools.echo");
    CU_ASSERT_EQUAL(record(result, 0)->status, PAWL_SETTLED_OK);
    CU_ASSERT_EQUAL(record(result, 0)->bytes, 15);
    CU_ASSERT_PTR_NULL(record(result, 0)->error);
    end(result);
}

static int32_t call_all(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    for (uint32_t i = 0; i < 4; i++)
        call(run, i, "[]");
    for (uint32_t i = 0; i < 4; i++) {
        struct pawl_settlement settled = next(run);
        bool constant = settled.id == 4;
        CU_ASSERT_EQUAL(settled.status, constant ? PAWL_SETTLED_OK : PAWL_SETTLED_ERROR);
        if (!constant) {
            TEST_TEXT(settled.code, "tool_error");
        }
    }
    return value(run, NULL);
}

static void failed_calls_are_calls_without_bytes(void)
{
    begin();
    add("fail", NULL, 0, fail_always);
    add("nothing", NULL, 0, say_nothing);
    add("garbage", NULL, 0, say_garbage);
    pawl_request_add_value(request, "tools", "constant", NULL, "[1,2]", NULL);
    pawl_result *result = run(call_all);
    CU_ASSERT_EQUAL_FATAL(pawl_result_calls(result), 4);
    TEST_TEXT(record(result, 0)->error, "no such host; token=[redacted]");
    TEST_TEXT(record(result, 1)->error, "the host function returned without an answer");
    CU_ASSERT_PTR_NOT_NULL(strstr(record(result, 2)->error, "not JSON"));
    CU_ASSERT_EQUAL(record(result, 0)->bytes, 0);
    CU_ASSERT_EQUAL(record(result, 3)->bytes, 5);
    CU_ASSERT_PTR_NOT_NULL(strstr(pawl_result_json(result, NULL), "\"calls\":4,\"bytes\":5,"));
    end(result);
}

static int32_t call_wrongly(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    uint64_t id = call(run, 0, "[1,2,3]");
    struct pawl_settlement settled = next(run);
    CU_ASSERT_EQUAL(settled.id, id);
    CU_ASSERT_EQUAL(settled.status, PAWL_SETTLED_ERROR);
    TEST_TEXT(settled.code, "bad_arguments");
    CU_ASSERT_PTR_NOT_NULL(strstr(settled.text.data, "echo(a, b?)"));
    CU_ASSERT_EQUAL(run->call(run->context, 0, "{}", 2, &id), PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(run->call(run->context, 0, "[", 1, &id), PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(run->call(run->context, 1, "[]", 2, &id), PAWL_E_ARGUMENT);
    return value(run, NULL);
}

static void wrong_arguments_are_no_calls(void)
{
    begin();
    add("echo", "echo(a, b?)", 0, echo);
    budget(0, 1, 0);
    pawl_result *result = run(call_wrongly);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    CU_ASSERT_EQUAL(pawl_result_calls(result), 0);
    end(result);
}

/* --- Calls together
 * ---------------------------------------------------------------------------------- */

static atomic_int inside;
static atomic_int most_inside;
static atomic_int entered;
static sem_t gate;

static void count_inside(pawl_call *call, void *data)
{
    (void)data;
    int now = atomic_fetch_add(&inside, 1) + 1;
    int most = atomic_load(&most_inside);
    while (now > most && !atomic_compare_exchange_weak(&most_inside, &most, now))
        ;
    atomic_fetch_add(&entered, 1);
    sem_wait(&gate);
    atomic_fetch_sub(&inside, 1);
    pawl_call_return(call, "1", 1);
}

static void open_gate(int times)
{
    while (times-- > 0)
        sem_post(&gate);
}

static int32_t call_twenty(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    for (int i = 0; i < 20; i++)
        call(run, 0, "[]");
    open_gate(20);
    for (int i = 0; i < 20; i++)
        next(run);
    return value(run, NULL);
}

static int most_together(int concurrent, uint32_t limit)
{
    begin();
    add("f", NULL, concurrent, count_inside);
    pawl_request_set_concurrency(request, limit, NULL);
    sem_init(&gate, 0, 0);
    atomic_store(&most_inside, 0);
    pawl_result *result = run(call_twenty);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    CU_ASSERT_EQUAL(pawl_result_calls(result), 20);
    end(result);
    return atomic_load(&most_inside);
}

static void exclusive_calls_run_alone(void)
{
    CU_ASSERT_EQUAL(most_together(0, 8), 1);
}

static void concurrent_calls_stay_under_the_limit(void)
{
    CU_ASSERT_TRUE(most_together(1, 3) <= 3);
    CU_ASSERT_TRUE(most_together(1, 0) <= 8);
}

static sem_t both_inside;

/* Comes back only when another of its kind is inside too. */
static void meet(pawl_call *call, void *data)
{
    (void)data;
    if (atomic_fetch_add(&inside, 1) == 1) {
        sem_post(&both_inside);
        sem_post(&both_inside);
    }
    sem_wait(&both_inside);
    atomic_fetch_sub(&inside, 1);
    pawl_call_return(call, "1", 1);
}

static int32_t call_two(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    call(run, 0, "[]");
    call(run, 0, "[]");
    next(run);
    next(run);
    return value(run, NULL);
}

static void concurrent_calls_do_overlap(void)
{
    begin();
    sem_init(&both_inside, 0, 0);
    atomic_store(&inside, 0);
    add("meet", NULL, 1, meet);
    pawl_result *result = run(call_two);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    end(result);
}

static int32_t poll_for_calls(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
    int fd = run->settled_fd(run->context);
    CU_ASSERT_TRUE_FATAL(fd >= 0);
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    CU_ASSERT_EQUAL(poll(&ready, 1, 0), 0);
    call(run, 0, "[]");
    CU_ASSERT_EQUAL(run->next(run->context, 0, &settled), PAWL_E_TIMEOUT);
    CU_ASSERT_EQUAL(poll(&ready, 1, 0), 0);
    open_gate(1);
    CU_ASSERT_EQUAL(poll(&ready, 1, -1), 1);
    CU_ASSERT_EQUAL(run->next(run->context, 0, &settled), PAWL_OK);
    CU_ASSERT_EQUAL(poll(&ready, 1, 0), 0);
    return value(run, NULL);
}

static void settled_calls_can_be_polled_for(void)
{
    begin();
    sem_init(&gate, 0, 0);
    add("f", NULL, 0, count_inside);
    pawl_result *result = run(poll_for_calls);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    end(result);
}

/* --- Budgets
 * ----------------------------------------------------------------------------------------- */

static int32_t call_until_ended(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    for (;;) {
        uint64_t id;
        struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
        if (run->call(run->context, 0, "[]", 2, &id) == PAWL_E_ENDED ||
            run->next(run->context, -1, &settled) == PAWL_E_ENDED)
            break;
    }
    CU_ASSERT_NOT_EQUAL(run->cancelled(run->context), PAWL_END_NONE);
    /* A program cannot swallow this, and neither can a provider. */
    CU_ASSERT_EQUAL(value(run, "\"swallowed\""), PAWL_E_ENDED);
    CU_ASSERT_EQUAL(fail(run, "runtime", "swallowed", 0), PAWL_E_ENDED);
    return PAWL_OK;
}

static void calls_run_out(void)
{
    begin();
    add("echo", NULL, 0, echo);
    budget(0, 3, 0);
    pawl_result *result = run(call_until_ended);
    TEST_TEXT(pawl_result_kind(result), "budget_calls");
    TEST_TEXT(pawl_result_message(result, NULL),
              "the program made more than the 3 calls that it may make");
    CU_ASSERT_EQUAL(pawl_result_calls(result), 3);
    end(result);
}

static void bytes_run_out(void)
{
    begin();
    pawl_request_add_value(request, "tools", "constant", NULL, "\"1234567890\"", NULL);
    budget(0, 0, 30);
    pawl_result *result = run(call_until_ended);
    TEST_TEXT(pawl_result_kind(result), "budget_bytes");
    CU_ASSERT_EQUAL(pawl_result_calls(result), 3);
    end(result);
}

static int32_t spin_until_ended(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    while (run->cancelled(run->context) == PAWL_END_NONE)
        ;
    return PAWL_OK;
}

static void the_deadline_comes(void)
{
    begin();
    budget(20, 0, 0);
    pawl_result *result = run(spin_until_ended);
    TEST_TEXT(pawl_result_kind(result), "deadline");
    TEST_TEXT(pawl_result_message(result, NULL), "the program did not end within 20ms");
    end(result);
}

static int32_t call_and_wait(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
    call(run, 0, "[]");
    CU_ASSERT_EQUAL(run->next(run->context, -1, &settled), PAWL_E_ENDED);
    return PAWL_OK;
}

static void the_deadline_tells_a_blocked_function(void)
{
    begin();
    budget(20, 0, 0);
    add("wait", NULL, 0, wait_for_cancel);
    pawl_result *result = run(call_and_wait);
    TEST_TEXT(pawl_result_kind(result), "deadline");
    CU_ASSERT_FALSE(record(result, 0)->abandoned);
    end(result);
}

static void a_deaf_function_is_left_behind(void)
{
    begin();
    CU_ASSERT_EQUAL_FATAL(pawl_cancel_new(&token, NULL), PAWL_OK);
    pawl_request_set_cancel(request, token);
    add("deaf", NULL, 0, ignore_cancel);
    pawl_result *result = run(call_and_wait);
    TEST_TEXT(pawl_result_kind(result), "abort");
    CU_ASSERT_TRUE(record(result, 0)->abandoned);
    CU_ASSERT_EQUAL(record(result, 0)->status, PAWL_SETTLED_ERROR);
    end(result);
    sem_wait(&cancelled);
    pawl_cancel_free(token);
    sem_post(&let_go); /* after the request is gone */
}

static int32_t wait_for_time_out(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    call(run, 0, "[]");
    struct pawl_settlement settled = next(run);
    CU_ASSERT_EQUAL(settled.status, PAWL_SETTLED_ERROR);
    TEST_TEXT(settled.text.data, "tools.slow did not answer within 10ms");
    return value(run, NULL);
}

static void a_function_has_its_own_time(void)
{
    begin();
    struct pawl_function_options options = {.size = sizeof(options), .timeout = 10};
    pawl_request_add_function(request, "tools", "slow", &options, wait_for_cancel, NULL, NULL);
    pawl_result *result = run(wait_for_time_out);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    CU_ASSERT_TRUE(record(result, 0)->abandoned);
    end(result);
}

/* --- Cancellation
 * -------------------------------------------------------------------------------------- */

static void *cancel_later(void *token)
{
    while (atomic_load(&entered) == 0)
        ;
    pawl_cancel_now(token);
    return NULL;
}

static void wait_entered(pawl_call *call, void *data)
{
    atomic_store(&entered, 1);
    wait_for_cancel(call, data);
}

static void a_run_is_cancelled_from_elsewhere(void)
{
    begin();
    pawl_cancel *token;
    CU_ASSERT_EQUAL_FATAL(pawl_cancel_new(&token, NULL), PAWL_OK);
    pawl_request_set_cancel(request, token);
    add("wait", NULL, 0, wait_entered);
    atomic_store(&entered, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, cancel_later, token);
    pawl_result *result = run(call_and_wait);
    pthread_join(thread, NULL);
    TEST_TEXT(pawl_result_kind(result), "abort");
    end(result);
    pawl_cancel_free(token);
}

static void an_execution_is_waited_for(void)
{
    begin();
    add("wait", NULL, 0, wait_entered);
    atomic_store(&entered, 0);
    current_script = call_and_wait;
    pawl_execution *execution;
    pawl_result *result = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_start(registry, request, &execution, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_wait(execution, 0, &result, NULL), PAWL_E_TIMEOUT);
    while (atomic_load(&entered) == 0)
        ;
    pawl_execution_cancel(execution);
    struct pollfd done = {.fd = pawl_execution_fd(execution), .events = POLLIN};
    CU_ASSERT_EQUAL(poll(&done, 1, -1), 1);
    CU_ASSERT_EQUAL(pawl_wait(execution, -1, &result, NULL), PAWL_OK);
    TEST_TEXT(pawl_result_kind(result), "abort");
    pawl_result *again = NULL;
    CU_ASSERT_EQUAL(pawl_wait(execution, -1, &again, NULL), PAWL_E_STATE);
    pawl_execution_free(execution);

    current_script = spin_until_ended;
    CU_ASSERT_EQUAL_FATAL(pawl_start(registry, request, &execution, NULL), PAWL_OK);
    pawl_execution_free(execution);
    end(result);
}

/* --- The ring
 * ------------------------------------------------------------------------------------------- */

static uint32_t stage_verdict;
static int32_t stage_status;
static atomic_int settled_outcome;

static int32_t stage_create(const char *config, const struct pawl_sink *why, void **instance)
{
    (void)config, (void)why;
    *instance = NULL;
    return PAWL_OK;
}

static void stage_destroy(void *instance)
{
    (void)instance;
}

static int32_t stage_judge(void *instance, const struct pawl_stage_call *judged,
                           const struct pawl_sink *why, uint32_t *verdict)
{
    (void)instance;
    TEST_TEXT(judged->name, "tools.echo");
    TEST_TEXT(judged->namespace_name, "tools");
    TEST_TEXT(judged->function, "echo");
    CU_ASSERT_EQUAL(*verdict, PAWL_VERDICT_DENY);
    why->write(why->context, "so it is", 8);
    *verdict = stage_verdict;
    return stage_status;
}

static void stage_settled(void *instance, const struct pawl_stage_call *judged, uint32_t outcome,
                          uint64_t bytes, uint64_t microseconds)
{
    (void)instance, (void)judged, (void)bytes, (void)microseconds;
    atomic_store(&settled_outcome, (int)outcome);
}

static const struct pawl_stage gate_stage = {
    .header = PAWL_HEADER(STAGE, gate_stage),
    .name = "gate",
    .version = "1",
    .threads = PAWL_THREADS_PARALLEL,
    .create = stage_create,
    .destroy = stage_destroy,
    .judge = stage_judge,
    .settled = stage_settled,
};

static int32_t call_and_fail_with_it(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    uint64_t id = call(run, 0, "[]");
    struct pawl_settlement settled = next(run);
    if (settled.status == PAWL_SETTLED_OK)
        return value(run, NULL);
    char message[256];
    snprintf(message, sizeof(message), "%.*s", (int)settled.text.size, settled.text.data);
    return fail(run, "runtime", message, id);
}

static void verdicts_stop_calls(void)
{
    static const struct {
        uint32_t verdict;
        int32_t status;
        const char *kind;
        const char *says;
    } cases[] = {
        {PAWL_VERDICT_ALLOW, PAWL_OK, NULL, NULL},
        {PAWL_VERDICT_DENY, PAWL_OK, "stage_denied",
         "tools.echo: denied by the stage 'gate': so it is"},
        {PAWL_VERDICT_PENDING, PAWL_OK, "stage_denied", "put off by the stage 'gate'"},
        {7, PAWL_OK, "stage_failed", "it answered 7, which is no verdict"},
        {PAWL_VERDICT_ALLOW, PAWL_E_SYSTEM, "stage_failed", "failed (-8): so it is"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin();
        CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
        CU_ASSERT_EQUAL_FATAL(pawl_ring_add(ring, &gate_stage, NULL, NULL), PAWL_OK);
        pawl_request_set_ring(request, ring);
        add("echo", NULL, 0, echo);
        stage_verdict = cases[i].verdict;
        stage_status = cases[i].status;
        atomic_store(&settled_outcome, -1);
        pawl_result *result = run(call_and_fail_with_it);
        CU_ASSERT_EQUAL(atomic_load(&settled_outcome),
                        cases[i].kind == NULL ? (int)PAWL_OUTCOME_OK : -1);
        if (cases[i].kind == NULL) {
            CU_ASSERT_TRUE(pawl_result_ok(result));
        } else {
            TEST_TEXT(pawl_result_kind(result), cases[i].kind);
            CU_ASSERT_PTR_NOT_NULL(strstr(pawl_result_message(result, NULL), cases[i].says));
            CU_ASSERT_EQUAL(pawl_result_calls(result), 1);
        }
        uint32_t verdict = 99;
        pawl_error *error = NULL;
        int status = pawl_ring_judge(ring, "tools", "echo", "{}", &verdict, &error);
        CU_ASSERT_EQUAL(status, cases[i].kind != NULL && strcmp(cases[i].kind, "stage_failed") == 0
                                    ? PAWL_E_PLUGIN
                                    : PAWL_OK);
        CU_ASSERT_EQUAL(verdict, status == PAWL_OK ? stage_verdict : PAWL_VERDICT_DENY);
        pawl_error_free(error);
        end(result);
    }
}

/* --- Output
 * -----------------------------------------------------------------------------------------------
 */

static int32_t log_and_return(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    /* ["ab","\n"] is 11 bytes. */
    if (run->log(run->context, "ab", 2) != PAWL_OK || run->log(run->context, "\n", 1) != PAWL_OK)
        return PAWL_OK;
    return value(run, "1234");
}

static void output_is_counted_to_the_byte(void)
{
    static const struct {
        uint64_t limit;
        size_t logs;
        int ok;
    } cases[] = {{15, 2, 1}, {14, 2, 0}, {11, 2, 0}, {10, 1, 0}, {6, 1, 0}, {5, 0, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin();
        pawl_request_set_output_limit(request, cases[i].limit);
        pawl_result *result = run(log_and_return);
        CU_ASSERT_EQUAL(pawl_result_ok(result), cases[i].ok);
        CU_ASSERT_EQUAL(pawl_result_logs(result), cases[i].logs);
        if (!cases[i].ok) {
            TEST_TEXT(pawl_result_kind(result), "output_limit");
        }
        end(result);
    }
}

static void a_diagnosis_is_output_too(void)
{
    begin();
    pawl_request_set_output_limit(request, 2 + strlen("\"x is not defined\""));
    pawl_result *result = run(fail_runtime);
    TEST_TEXT(pawl_result_kind(result), "runtime");
    end(result);
    begin();
    pawl_request_set_output_limit(request, 1 + strlen("\"x is not defined\""));
    result = run(fail_runtime);
    TEST_TEXT(pawl_result_kind(result), "output_limit");
    CU_ASSERT_EQUAL(pawl_result_line(result), 0);
    end(result);
}

/* --- Facts
 * ------------------------------------------------------------------------------------------------
 */

static int32_t state_facts(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    const char *fact = "{\"grade\":\"full\",\"by\":\"arena\"}";
    CU_ASSERT_EQUAL(run->fact(run->context, "memory", fact, strlen(fact)), PAWL_OK);
    CU_ASSERT_EQUAL(run->fact(run->context, "memory", "{", 1), PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(run->fact(run->context, "memory", "7", 1), PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(run->fact(run->context, "peak_memory", "{}", 2), PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(run->fact(run->context, "setup_ms", "-1", 2), PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(run->fact(run->context, "denied", "1", 1), PAWL_E_ARGUMENT);
    CU_ASSERT_EQUAL(run->fact(run->context, "denied", " true ", 6), PAWL_OK);
    CU_ASSERT_EQUAL(run->fact(run->context, "weather", "1", 1), PAWL_E_UNSUPPORTED);
    CU_ASSERT_EQUAL(run->fact(run->context, "peak_memory", "4096", 4), PAWL_OK);
    int64_t now = 0;
    CU_ASSERT_EQUAL(run->clock(run->context, &now), PAWL_OK);
    CU_ASSERT_TRUE(now > 1600000000000000000);
    char bytes[32] = {0};
    CU_ASSERT_EQUAL(run->random(run->context, bytes, sizeof(bytes)), PAWL_OK);
    CU_ASSERT_EQUAL(run->discover(run->context, "q", 1, NULL), PAWL_E_UNSUPPORTED);
    return value(run, NULL);
}

static int32_t state_setup(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    /* More than the run can have taken: nothing is left for the program. */
    CU_ASSERT_EQUAL(run->fact(run->context, "setup_ms", "99999.75", 8), PAWL_OK);
    return value(run, NULL);
}

static void time_for_set_up_is_not_the_programs(void)
{
    begin();
    pawl_result *result = run(state_setup);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(pawl_result_json(result, NULL), "\"setup_ms\":99999.75,\"program_ms\":0.000,"));
    end(result);
}

static void facts_stand_apart(void)
{
    begin();
    pawl_result *result = run(state_facts);
    TEST_TEXT(pawl_result_fact(result, "memory"), "{\"grade\":\"full\",\"by\":\"arena\"}");
    CU_ASSERT_PTR_NULL(pawl_result_fact(result, "files"));
    const char *json = pawl_result_json(result, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(json, "\"files\":{\"grade\":\"none\",\"by\":null}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(json, "\"max_memory\":{\"limit\":null,\"used\":4096}"));
    end(result);
}

/* --- Egress ------------------------------------------------------------------------------- */

static int enforcer_status;

static int enforce(const struct pawl_policy *policy, const char *provider, void *data)
{
    CU_ASSERT_EQUAL(policy->egress, PAWL_EGRESS_NONE);
    TEST_TEXT(provider, "scripted");
    ++*(int *)data;
    return enforcer_status;
}

static void the_host_itself_says_that_it_enforces_the_egress(void)
{
    static const struct {
        int status;
        const char *kind;
    } cases[] = {{PAWL_OK, NULL}, {PAWL_E_UNAVAILABLE, "sandbox_unavailable"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        begin();
        struct pawl_policy policy = {.egress = PAWL_EGRESS_NONE};
        policy.header = (struct pawl_header)PAWL_HEADER(POLICY, policy);
        CU_ASSERT_EQUAL(pawl_request_set_policy(request, &policy, NULL), PAWL_OK);
        pawl_result *result = NULL;
        CU_ASSERT_EQUAL(pawl_execute(registry, request, &result, NULL), PAWL_E_NOT_ENFORCED);
        int asked = 0;
        CU_ASSERT_EQUAL(pawl_request_set_egress_enforcer(request, NULL, enforce, &asked, NULL),
                        PAWL_E_ARGUMENT);
        CU_ASSERT_EQUAL(
            pawl_request_set_egress_enforcer(request, "firewall", enforce, &asked, NULL), PAWL_OK);
        enforcer_status = cases[i].status;
        result = run(return_one);
        CU_ASSERT_EQUAL(asked, 1);
        CU_ASSERT_EQUAL(pawl_result_ok(result), cases[i].kind == NULL);
        if (cases[i].kind != NULL) {
            TEST_TEXT(pawl_result_kind(result), cases[i].kind);
            CU_ASSERT_PTR_NOT_NULL(strstr(pawl_result_message(result, NULL), "'firewall'"));
        } else {
            CU_ASSERT_PTR_NOT_NULL(strstr(pawl_result_json(result, NULL),
                                          "\"egress\":{\"mode\":\"none\",\"by\":\"firewall\"}"));
        }
        end(result);
    }
}

static void a_level_must_be_said(void)
{
    pawl_request *empty;
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_request_new(&empty, NULL), PAWL_OK);
    pawl_request_set_program(empty, "", 0, NULL);
    CU_ASSERT_EQUAL(pawl_execute(registry, empty, &result, &error), PAWL_E_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pawl_error_message(error), "level"));
    pawl_error_free(error);
    pawl_request_free(empty);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"a value comes back", a_value_comes_back},
        {"the end is said once", the_end_is_said_once},
        {"a failure has its place", a_failure_has_its_place},
        {"a place outside the program is none", a_place_outside_the_program_is_none},
        {"a broken provider is told apart", a_broken_provider_is_told_apart},
        {"a call reaches its function", a_call_reaches_its_function},
        {"failed calls are calls without bytes", failed_calls_are_calls_without_bytes},
        {"wrong arguments are no calls", wrong_arguments_are_no_calls},
        {"exclusive calls run alone", exclusive_calls_run_alone},
        {"concurrent calls stay under the limit", concurrent_calls_stay_under_the_limit},
        {"concurrent calls do overlap", concurrent_calls_do_overlap},
        {"settled calls can be polled for", settled_calls_can_be_polled_for},
        {"calls run out", calls_run_out},
        {"bytes run out", bytes_run_out},
        {"the deadline comes", the_deadline_comes},
        {"the deadline tells a blocked function", the_deadline_tells_a_blocked_function},
        {"a deaf function is left behind", a_deaf_function_is_left_behind},
        {"a function has its own time", a_function_has_its_own_time},
        {"a run is cancelled from elsewhere", a_run_is_cancelled_from_elsewhere},
        {"an execution is waited for", an_execution_is_waited_for},
        {"verdicts stop calls", verdicts_stop_calls},
        {"output is counted to the byte", output_is_counted_to_the_byte},
        {"a diagnosis is output too", a_diagnosis_is_output_too},
        {"facts stand apart", facts_stand_apart},
        {"time for set-up is not the program's", time_for_set_up_is_not_the_programs},
        {"the host itself says that it enforces the egress",
         the_host_itself_says_that_it_enforces_the_egress},
        {"a level must be said", a_level_must_be_said},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {{"run", set_up, tear_down, NULL, NULL, tests},
                                    CU_SUITE_INFO_NULL};
    return test_main(suites);
}
