/* Calls under a host, a program or a stage that does not behave: what a run may cost the host, what
 * it waits for, and what the stages are told. */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pawl/pawl.h>

#include "tests/unit/scripted.h"
#include "tests/unit/test.h"

static pawl_registry *registry;
static pawl_request *request;
static pawl_ring *ring;
static pawl_cancel *token;

static pawl_request *new_request(void)
{
    pawl_request *made = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_request_new(&made, NULL), PAWL_OK);
    pawl_request_set_level(made, PAWL_LEVEL_PROCESS, NULL);
    pawl_request_set_program(made, "line 1\nline 2\n", 14, NULL);
    return made;
}

static void begin_with(const struct pawl_provider *provider)
{
    ring = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_add(registry, provider, "scripted", NULL, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_cancel_new(&token, NULL), PAWL_OK);
    request = new_request();
    pawl_request_set_cancel(request, token);
}

static void begin(void)
{
    begin_with(&scripted_provider);
}

/* Waits for every host function and stage that is still at it. */
static void end(void)
{
    pawl_request_free(request);
    pawl_registry_free(registry);
    pawl_ring_free(ring);
    pawl_cancel_free(token);
}

static pawl_result *execute(scripted_function *program)
{
    pawl_result *result = NULL;
    scripted_program = program;
    CU_ASSERT_EQUAL_FATAL(pawl_execute(registry, request, &result, NULL), PAWL_OK);
    return result;
}

static void add(const char *name, uint64_t timeout, pawl_host_function function, void *data)
{
    struct pawl_function_options options = {
        .size = sizeof(options), .concurrent = 1, .timeout = timeout};
    CU_ASSERT_EQUAL_FATAL(
        pawl_request_add_function(request, "tools", name, &options, function, data, NULL), PAWL_OK);
}

static int32_t call(const struct pawl_run *run, uint32_t function, const char *arguments)
{
    uint64_t id;
    return run->call(run->context, function, arguments, strlen(arguments), &id);
}

static int32_t next(const struct pawl_run *run, struct pawl_settlement *settled)
{
    settled->header = (struct pawl_header)PAWL_HEADER(SETTLEMENT, *settled);
    return run->next(run->context, -1, settled);
}

static int32_t give(const struct pawl_run *run, const char *json)
{
    return run->value(run->context, json, strlen(json));
}

/* --- Stages ---------------------------------------------------------------------------------- */

static sem_t let_go;
static sem_t entered;
static atomic_int told_ok, told_error, told_stopped, told_abandoned;

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

/* Allows everything, but thinks about "second" until it is let go. */
static int32_t stage_judge(void *instance, const struct pawl_stage_call *judged,
                           const struct pawl_sink *why, uint32_t *verdict)
{
    (void)instance, (void)why;
    *verdict = PAWL_VERDICT_ALLOW;
    if (strcmp(judged->function, "second") == 0) {
        sem_post(&entered);
        sem_wait(&let_go);
    }
    return PAWL_OK;
}

static void stage_settled(void *instance, const struct pawl_stage_call *judged, uint32_t outcome,
                          uint64_t bytes, uint64_t microseconds)
{
    (void)instance, (void)judged, (void)bytes, (void)microseconds;
    atomic_fetch_add(outcome == PAWL_OUTCOME_OK        ? &told_ok
                     : outcome == PAWL_OUTCOME_ERROR   ? &told_error
                     : outcome == PAWL_OUTCOME_STOPPED ? &told_stopped
                                                       : &told_abandoned,
                     1);
}

static const struct pawl_stage slow_stage = {
    .header = PAWL_HEADER(STAGE, slow_stage),
    .name = "slow",
    .version = "1",
    .threads = PAWL_THREADS_SERIAL,
    .create = stage_create,
    .destroy = stage_destroy,
    .judge = stage_judge,
    .settled = stage_settled,
};

static void begin_with_stage(void)
{
    begin();
    sem_init(&let_go, 0, 0);
    sem_init(&entered, 0, 0);
    told_ok = told_error = told_stopped = told_abandoned = 0;
    CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_ring_add(ring, &slow_stage, NULL, NULL), PAWL_OK);
    pawl_request_set_ring(request, ring);
}

/* A host function that does not listen. */
static void deaf(pawl_call *called, void *data)
{
    (void)data;
    sem_post(&entered);
    sem_wait(&let_go);
    pawl_call_return(called, "\"late\"", 6);
}

static int32_t call_one_then_two(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled;
    CU_ASSERT_EQUAL(call(run, 0, "[]"), PAWL_OK);
    sem_wait(&entered); /* the first was allowed, and runs */
    CU_ASSERT_EQUAL(call(run, 1, "[]"), PAWL_OK);
    sem_wait(&entered); /* the stage thinks about the second */
    pawl_cancel_now(token);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_E_ENDED);
    return PAWL_OK;
}

static void a_run_does_not_wait_for_a_stage(void)
{
    begin_with_stage();
    add("first", 0, deaf, NULL);
    add("second", 0, deaf, NULL);
    pawl_result *result = execute(call_one_then_two);
    TEST_TEXT(pawl_result_kind(result), "abort");
    pawl_result_free(result);
    sem_post(&let_go);
    sem_post(&let_go);
    pawl_registry_free(registry);
    registry = NULL;
    CU_ASSERT_EQUAL(told_abandoned, 2);
    CU_ASSERT_EQUAL(told_ok + told_error + told_stopped, 0);
    end();
}

static int32_t call_and_take(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled;
    CU_ASSERT_EQUAL(call(run, 0, "[]"), PAWL_OK);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    CU_ASSERT_EQUAL(settled.status, PAWL_SETTLED_ERROR);
    return give(run, "1");
}

/* Stages hear of a call what the program heard. */
static void a_stage_is_told_of_a_time_out(void)
{
    begin_with_stage();
    add("first", 5, deaf, NULL);
    pawl_result *result = execute(call_and_take);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    pawl_result_free(result);
    sem_post(&let_go);
    pawl_registry_free(registry);
    registry = NULL;
    CU_ASSERT_EQUAL(told_error, 1);
    CU_ASSERT_EQUAL(told_ok + told_stopped + told_abandoned, 0);
    end();
}

static int32_t call_while_the_stage_thinks(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled;
    CU_ASSERT_EQUAL(call(run, 0, "[]"), PAWL_OK);
    sem_wait(&entered);
    pawl_cancel_now(token);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_E_ENDED);
    sem_post(&let_go); /* the stage allows it, too late */
    return PAWL_OK;
}

static void count_calls(pawl_call *called, void *data)
{
    atomic_fetch_add((atomic_int *)data, 1);
    pawl_call_return(called, "1", 1);
}

static void a_call_allowed_too_late_is_not_made(void)
{
    atomic_int made = 0;
    begin_with_stage();
    add("second", 0, count_calls, &made);
    pawl_result *result = execute(call_while_the_stage_thinks);
    TEST_TEXT(pawl_result_kind(result), "abort");
    CU_ASSERT_EQUAL(pawl_result_call(result, 0)->status, PAWL_SETTLED_ERROR);
    pawl_result_free(result);
    pawl_registry_free(registry);
    registry = NULL;
    CU_ASSERT_EQUAL(atomic_load(&made), 0);
    CU_ASSERT_EQUAL(told_abandoned, 1);
    CU_ASSERT_EQUAL(told_ok + told_error + told_stopped, 0);
    end();
}

/* --- What a program may cost ----------------------------------------------------------------- */

#define MANY  200
#define LARGE (1u << 20)

static unsigned refused;

/* Begins calls with 1 MiB of arguments each, and takes none before the last has begun. */
static int32_t hoard(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    char *arguments = malloc(LARGE + 5);
    memset(arguments, 'x', LARGE + 4);
    memcpy(arguments, "[\"", 2);
    memcpy(arguments + LARGE + 2, "\"]", 3);
    for (unsigned i = 0; i < MANY; i++)
        CU_ASSERT_EQUAL(call(run, 0, arguments), PAWL_OK);
    free(arguments);
    struct pawl_settlement settled;
    refused = 0;
    for (unsigned i = 0; i < MANY; i++) {
        CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
        refused += settled.status == PAWL_SETTLED_ERROR;
    }
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_E_STATE);
    /* Now that all are taken, there is room again. */
    CU_ASSERT_EQUAL(call(run, 0, "[]"), PAWL_OK);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    CU_ASSERT_EQUAL(settled.status, PAWL_SETTLED_OK);
    return give(run, "1");
}

static void return_much(pawl_call *called, void *data)
{
    (void)data;
    size_t size;
    const char *arguments = pawl_call_arguments(called, &size);
    pawl_call_return(called, arguments, size);
}

static void untaken_answers_have_a_limit(void)
{
    begin();
    add("much", 0, return_much, NULL);
    pawl_request_set_concurrency(request, 64, NULL);
    pawl_result *result = execute(hoard);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    CU_ASSERT_TRUE(refused >= MANY / 2);
    pawl_result_free(result);
    end();
}

/* A constant's answer costs nothing, so that neither do its arguments once it is given. */
static void a_constant_does_not_keep_its_arguments(void)
{
    begin();
    CU_ASSERT_EQUAL(pawl_request_add_value(request, "tools", "one", NULL, "1", NULL), PAWL_OK);
    pawl_result *result = execute(hoard);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    CU_ASSERT_EQUAL(refused, 0);
    pawl_result_free(result);
    end();
}

static int32_t fail_often(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    for (unsigned i = 0; i < 200; i++) {
        struct pawl_settlement settled;
        if (call(run, 0, "[]") != PAWL_OK || next(run, &settled) != PAWL_OK)
            return PAWL_OK;
        CU_ASSERT_EQUAL(settled.text.size, 60000);
    }
    return give(run, "1");
}

static void fail_long(pawl_call *called, void *data)
{
    (void)data;
    char *message = malloc(60001);
    memset(message, 'm', 60000);
    message[60000] = '\0';
    pawl_call_fail(called, message);
    free(message);
}

static void records_have_a_limit(void)
{
    begin();
    add("fail", 0, fail_long, NULL);
    pawl_result *result = execute(fail_often);
    CU_ASSERT_TRUE(pawl_result_ok(result));
    CU_ASSERT_EQUAL(pawl_result_calls(result), 200);
    size_t total = 0;
    for (size_t i = 0; i < pawl_result_calls(result); i++) {
        const char *why = pawl_result_call(result, i)->error;
        CU_ASSERT_TRUE(why != NULL && why[0] != '\0');
        total += strlen(why);
    }
    CU_ASSERT_TRUE(total < 5u << 20);
    pawl_result_free(result);
    end();
}

/* Suggestions as long as an engine in hostile hands may make them. */
static int32_t suggest_much(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    char *suggestion = malloc(LARGE);
    memset(suggestion, 's', LARGE);
    suggestion[LARGE - 1] = '\0';
    struct pawl_failure failure = {
        .kind = "runtime",
        .message = {.data = "no", .size = 2},
        .suggestions = (const char *const[]){suggestion, NULL},
    };
    failure.header = (struct pawl_header)PAWL_HEADER(FAILURE, failure);
    CU_ASSERT_EQUAL(run->fail(run->context, &failure), PAWL_OK);
    free(suggestion);
    return PAWL_OK;
}

static void suggestions_have_a_limit(void)
{
    begin();
    pawl_result *result = execute(suggest_much);
    CU_ASSERT_EQUAL(pawl_result_suggestions(result), 1);
    CU_ASSERT_TRUE(strlen(pawl_result_suggestion(result, 0)) <= 4096);
    pawl_result_free(result);
    end();
}

/* --- What the host itself gets wrong --------------------------------------------------------- */

static int32_t call_and_give(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled;
    CU_ASSERT_EQUAL(call(run, 0, "[]"), PAWL_OK);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    CU_ASSERT_EQUAL(settled.status, PAWL_SETTLED_OK);
    return give(run, "1");
}

static void a_long_time_out_is_none(void)
{
    static const uint64_t timeouts[] = {UINT64_MAX, UINT64_MAX / 1000000 + 1};
    for (int i = 0; i < 2; i++) {
        begin();
        add("much", timeouts[i], return_much, NULL);
        pawl_result *result = execute(call_and_give);
        CU_ASSERT_TRUE(pawl_result_ok(result));
        pawl_result_free(result);
        end();
    }
}

static void a_function_must_exist(void)
{
    pawl_error *error = NULL;
    begin();
    CU_ASSERT_EQUAL(pawl_request_add_function(request, "tools", "f", NULL, NULL, NULL, &error),
                    PAWL_E_ARGUMENT);
    TEST_TEXT(pawl_error_message(error), "the function 'tools.f' is NULL");
    pawl_error_free(error);
    CU_ASSERT_EQUAL(pawl_request_set_language(request, NULL, NULL), PAWL_E_ARGUMENT);
    end();
}

/* --- Waiting for one's turn ------------------------------------------------------------------ */

static int32_t hold_the_provider(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    sem_post(&entered);
    while (run->cancelled(run->context) == PAWL_END_NONE)
        sched_yield();
    return PAWL_OK;
}

/* A provider that runs one program at a time is busy: another run ends in its own time. */
static void a_run_does_not_wait_for_another(void)
{
    struct pawl_provider serial = scripted_provider;
    serial.threads = PAWL_THREADS_INSTANCE;
    begin_with(&serial);
    sem_init(&entered, 0, 0);
    scripted_program = hold_the_provider;
    pawl_execution *first;
    CU_ASSERT_EQUAL_FATAL(pawl_start(registry, request, &first, NULL), PAWL_OK);
    sem_wait(&entered);

    pawl_execution *second;
    pawl_result *result = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_start(registry, request, &second, NULL), PAWL_OK);
    pawl_execution_cancel(second);
    CU_ASSERT_EQUAL(pawl_wait(second, -1, &result, NULL), PAWL_OK);
    TEST_TEXT(pawl_result_kind(result), "abort");
    pawl_result_free(result);
    pawl_execution_free(second);

    pawl_request *brief = new_request();
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = 20;
    pawl_request_add_budget(brief, &budget);
    CU_ASSERT_EQUAL(pawl_execute(registry, brief, &result, NULL), PAWL_OK);
    TEST_TEXT(pawl_result_kind(result), "deadline");
    pawl_result_free(result);
    pawl_request_free(brief);

    pawl_execution_free(first);
    end();
}

/* --- Waiting, and signals --------------------------------------------------------------------- */

static void on_signal(int number)
{
    (void)number;
}

static pthread_t waiting_thread;
static atomic_bool waited;

/* Sends signals until the wait is over. */
static void *interrupt(void *execution)
{
    for (int i = 0; i < 50; i++) {
        pthread_kill(waiting_thread, SIGUSR1);
        sched_yield();
    }
    pawl_execution_cancel(execution);
    while (!atomic_load(&waited)) {
        pthread_kill(waiting_thread, SIGUSR1);
        sched_yield();
    }
    return NULL;
}

static void a_signal_does_not_end_the_wait(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    struct sigaction before;
    sigaction(SIGUSR1, &action, &before);
    begin();
    sem_init(&entered, 0, 0);
    scripted_program = hold_the_provider;
    pawl_execution *execution;
    CU_ASSERT_EQUAL_FATAL(pawl_start(registry, request, &execution, NULL), PAWL_OK);
    waiting_thread = pthread_self();
    atomic_store(&waited, false);
    pthread_t thread;
    pthread_create(&thread, NULL, interrupt, execution);
    pawl_result *result = NULL;
    CU_ASSERT_EQUAL(pawl_wait(execution, -1, &result, NULL), PAWL_OK);
    atomic_store(&waited, true);
    pthread_join(thread, NULL);
    pawl_result_free(result);
    pawl_execution_free(execution);
    end();
    sigaction(SIGUSR1, &before, NULL);
}

static sigset_t seen_by_function, seen_by_run;

static void look_at_signals(pawl_call *called, void *data)
{
    (void)data;
    pthread_sigmask(SIG_SETMASK, NULL, &seen_by_function);
    pawl_call_return(called, "1", 1);
}

static int32_t call_and_look(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled;
    pthread_sigmask(SIG_SETMASK, NULL, &seen_by_run);
    call(run, 0, "[]");
    next(run, &settled);
    return give(run, "1");
}

/* The host's signals go to its own threads. What an instruction raises is no matter of delivery:
 * the kernel kills a process that has it blocked, whatever handler the host or an engine has for
 * it. */
static void signals_of_instructions_stay_open(void)
{
    static const int of_instructions[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    begin();
    add("look", 0, look_at_signals, NULL);
    scripted_program = call_and_look;
    pawl_execution *execution;
    pawl_result *result = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_start(registry, request, &execution, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_wait(execution, -1, &result, NULL), PAWL_OK);
    for (size_t i = 0; i < sizeof(of_instructions) / sizeof(of_instructions[0]); i++) {
        CU_ASSERT_FALSE(sigismember(&seen_by_run, of_instructions[i]));
        CU_ASSERT_FALSE(sigismember(&seen_by_function, of_instructions[i]));
    }
    CU_ASSERT_TRUE(sigismember(&seen_by_run, SIGINT) && sigismember(&seen_by_run, SIGALRM));
    CU_ASSERT_TRUE(sigismember(&seen_by_function, SIGINT));
    pawl_result_free(result);
    pawl_execution_free(execution);
    end();
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"a run does not wait for a stage", a_run_does_not_wait_for_a_stage},
        {"a stage is told of a time-out", a_stage_is_told_of_a_time_out},
        {"a call allowed too late is not made", a_call_allowed_too_late_is_not_made},
        {"untaken answers have a limit", untaken_answers_have_a_limit},
        {"a constant does not keep its arguments", a_constant_does_not_keep_its_arguments},
        {"records have a limit", records_have_a_limit},
        {"suggestions have a limit", suggestions_have_a_limit},
        {"a long time-out is none", a_long_time_out_is_none},
        {"a function must exist", a_function_must_exist},
        {"a run does not wait for another", a_run_does_not_wait_for_another},
        {"a signal does not end the wait", a_signal_does_not_end_the_wait},
        {"signals of instructions stay open", signals_of_instructions_stay_open},
        CU_TEST_INFO_NULL,
    };
    return test_suite("calls", tests);
}
