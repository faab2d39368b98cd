/* Stages that wait for somebody (PAWL_STAGE_WAITS): no wall clock runs meanwhile, everything else
 * goes on, and whoever cancels the run reaches them. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "core/clock.h"
#include "tests/unit/scripted.h"
#include "tests/unit/test.h"

/* Long enough for what takes no time on a busy machine. */
#define WALL_CLOCK 1500

static pawl_registry *registry;
static pawl_request *request;
static pawl_ring *ring;
static pawl_cancel *token;
static sem_t entered, let_go;
static atomic_int seen_fd, told;

/* --- A stage that waits ---------------------------------------------------------------------- */

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

/* Waits until it is let go, or cancelled, for the functions whose names begin with "ask". */
static int32_t stage_judge(void *instance, const struct pawl_stage_call *call,
                           const struct pawl_sink *why, uint32_t *verdict)
{
    (void)instance, (void)why;
    seen_fd = PAWL_HAS(call, cancel_fd) ? call->cancel_fd : -2;
    *verdict = PAWL_VERDICT_ALLOW;
    if (strncmp(call->function, "ask", 3) != 0)
        return PAWL_OK;
    sem_post(&entered);
    if (strcmp(call->function, "ask_cancelled") == 0) {
        struct pollfd cancelled = {.fd = call->cancel_fd, .events = POLLIN};
        told = poll(&cancelled, 1, 60000);
        *verdict = PAWL_VERDICT_DENY;
    } else {
        sem_wait(&let_go);
    }
    return PAWL_OK;
}

static const struct pawl_stage waiting_stage = {
    .header = PAWL_HEADER(STAGE, waiting_stage),
    .offers_bits = PAWL_STAGE_WAITS,
    .name = "waiting",
    .version = "1",
    .threads = PAWL_THREADS_PARALLEL,
    .create = stage_create,
    .destroy = stage_destroy,
    .judge = stage_judge,
};

/* --- The host -------------------------------------------------------------------------------- */

static void echo(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_return(call, "1", 1);
}

static void add(const char *name, uint64_t timeout)
{
    struct pawl_function_options options = {
        .size = sizeof(options), .concurrent = 1, .timeout = timeout};
    CU_ASSERT_EQUAL_FATAL(
        pawl_request_add_function(request, "tools", name, &options, echo, NULL, NULL), PAWL_OK);
}

static void begin(const struct pawl_stage *stage)
{
    sem_init(&entered, 0, 0);
    sem_init(&let_go, 0, 0);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_registry_add(registry, &scripted_provider, "scripted", NULL, NULL),
                          PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_ring_add(ring, stage, NULL, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_cancel_new(&token, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_request_new(&request, NULL), PAWL_OK);
    pawl_request_set_level(request, PAWL_LEVEL_PROCESS, NULL);
    pawl_request_set_program(request, "x", 1, NULL);
    pawl_request_set_ring(request, ring);
    pawl_request_set_cancel(request, token);
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = WALL_CLOCK;
    pawl_request_add_budget(request, &budget);
}

static void end(pawl_result *result)
{
    pawl_result_free(result);
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

/* A time of the result's JSON, in milliseconds. */
static double timing(pawl_result *result, const char *name)
{
    char key[64];
    snprintf(key, sizeof(key), "\"%s\":", name);
    const char *at = strstr(pawl_result_json(result, NULL), key);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    return strtod(at + strlen(key), NULL);
}

/* --- Programs -------------------------------------------------------------------------------- */

static uint64_t call(const struct pawl_run *run, uint32_t function)
{
    uint64_t id = 0;
    CU_ASSERT_EQUAL(run->call(run->context, function, "[]", 2, &id), PAWL_OK);
    return id;
}

static int32_t next(const struct pawl_run *run, struct pawl_settlement *settled)
{
    *settled = (struct pawl_settlement){.header = PAWL_HEADER(SETTLEMENT, *settled)};
    return run->next(run->context, -1, settled);
}

/* Lets more than the wall clock go by while a call waits. */
static void outwait(const struct pawl_run *run)
{
    sem_wait(&entered);
    uint64_t until = clock_now() + (WALL_CLOCK + 200) * NS_PER_MS;
    while (clock_now() < until) {
        if (run->cancelled(run->context) != PAWL_END_NONE) {
            CU_FAIL("the run ended while a stage waited");
            break;
        }
        poll(NULL, 0, 10);
    }
    sem_post(&let_go);
}

static int32_t ask_and_take(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled;
    CU_ASSERT_EQUAL(run->deadline, 0);
    call(run, 0);
    outwait(run);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    CU_ASSERT_EQUAL(settled.status, PAWL_SETTLED_OK);
    return run->value(run->context, "true", 4);
}

/* --- Tests ----------------------------------------------------------------------------------- */

/* Also the call's own time, which is as short. */
static void the_wall_clock_stands_still(void)
{
    begin(&waiting_stage);
    add("ask", WALL_CLOCK);
    pawl_result *result = execute(ask_and_take);
    CU_ASSERT(pawl_result_ok(result));
    CU_ASSERT(seen_fd >= 0);
    CU_ASSERT(timing(result, "waiting_ms") >= WALL_CLOCK);
    double parts = timing(result, "setup_ms") + timing(result, "program_ms") +
                   timing(result, "calls_ms") + timing(result, "waiting_ms");
    double total = timing(result, "total_ms");
    CU_ASSERT(parts > total - 0.01 && parts < total + 0.01);
    CU_ASSERT(timing(result, "used") < total - WALL_CLOCK);
    end(result);
}

static void *let_go_later(void *data)
{
    (void)data;
    sem_wait(&entered);
    poll(NULL, 0, WALL_CLOCK + 200);
    sem_post(&let_go);
    return NULL;
}

static int32_t sleep_in_next(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    struct pawl_settlement settled;
    call(run, 0);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    return run->value(run->context, "true", 4);
}

static int32_t sleep_in_poll(const struct pawl_run *run, const struct pawl_sink *why)
{
    struct pollfd fd = {.fd = run->settled_fd(run->context), .events = POLLIN};
    (void)why;
    struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
    call(run, 0);
    CU_ASSERT_EQUAL(poll(&fd, 1, 60000), 1);
    CU_ASSERT_EQUAL(run->next(run->context, 0, &settled), PAWL_OK);
    return run->value(run->context, "true", 4);
}

static void whoever_sleeps_sleeps_on(void)
{
    scripted_function *const programs[] = {sleep_in_next, sleep_in_poll};
    for (size_t i = 0; i < 2; i++) {
        begin(&waiting_stage);
        add("ask", 0);
        pthread_t thread;
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, let_go_later, NULL), 0);
        pawl_result *result = execute(programs[i]);
        pthread_join(thread, NULL);
        CU_ASSERT(pawl_result_ok(result));
        end(result);
    }
}

static int32_t ask_and_stay(const struct pawl_run *run, const struct pawl_sink *why)
{
    struct pawl_settlement settled;
    (void)why;
    call(run, 0);
    sem_wait(&entered);
    sem_post(&let_go);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    call(run, 1);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    struct pollfd fd = {.fd = run->settled_fd(run->context), .events = POLLIN};
    CU_ASSERT_EQUAL(poll(&fd, 1, 60000), 1); /* the deadline itself */
    CU_ASSERT_EQUAL(run->cancelled(run->context), PAWL_END_DEADLINE);
    return PAWL_OK;
}

static void the_deadline_comes_afterwards(void)
{
    begin(&waiting_stage);
    add("ask", 0);
    add("plain", 0);
    pawl_result *result = execute(ask_and_stay);
    TEST_TEXT(pawl_result_kind(result), "deadline");
    end(result);
}

static int32_t overtake(const struct pawl_run *run, const struct pawl_sink *why)
{
    struct pawl_settlement settled;
    (void)why;
    uint64_t first = call(run, 0);
    sem_wait(&entered);
    uint64_t second = call(run, 1);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    CU_ASSERT_EQUAL(settled.id, second);
    sem_post(&let_go);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    CU_ASSERT_EQUAL(settled.id, first);
    return run->value(run->context, "true", 4);
}

static void other_calls_go_on(void)
{
    begin(&waiting_stage);
    add("ask", 0);
    add("plain", 0);
    pawl_result *result = execute(overtake);
    CU_ASSERT(pawl_result_ok(result));
    end(result);
}

static int32_t ask_two(const struct pawl_run *run, const struct pawl_sink *why)
{
    struct pawl_settlement settled;
    (void)why;
    call(run, 0);
    call(run, 1);
    sem_wait(&entered);
    sem_wait(&entered);
    sem_post(&let_go);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    sem_post(&let_go);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_OK);
    return run->value(run->context, "true", 4);
}

/* Two that wait at once count once. */
static void waits_overlap(void)
{
    begin(&waiting_stage);
    add("ask", 0);
    add("ask_too", 0);
    pawl_result *result = execute(ask_two);
    CU_ASSERT(pawl_result_ok(result));
    CU_ASSERT(timing(result, "waiting_ms") > 0);
    CU_ASSERT(timing(result, "waiting_ms") <= timing(result, "total_ms"));
    end(result);
}

static int32_t ask_and_cancel(const struct pawl_run *run, const struct pawl_sink *why)
{
    struct pawl_settlement settled;
    (void)why;
    call(run, 0);
    sem_wait(&entered);
    pawl_cancel_now(token);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_E_ENDED);
    return PAWL_OK;
}

/* The registry is freed only when the stage is back: without its cancel_fd this would take long. */
static void a_cancelled_run_reaches_the_stage(void)
{
    begin(&waiting_stage);
    add("ask_cancelled", 0);
    pawl_result *result = execute(ask_and_cancel);
    TEST_TEXT(pawl_result_kind(result), "abort");
    end(result);
    CU_ASSERT_EQUAL(told, 1);
}

static int32_t ask_for_too_long(const struct pawl_run *run, const struct pawl_sink *why)
{
    struct pawl_settlement settled;
    (void)why;
    CU_ASSERT_NOT_EQUAL(run->deadline, 0);
    call(run, 0);
    CU_ASSERT_EQUAL(next(run, &settled), PAWL_E_ENDED);
    sem_post(&let_go);
    return PAWL_OK;
}

/* One that does not declare it spends the program's time. */
static void others_have_no_time(void)
{
    struct pawl_stage stage = waiting_stage;
    stage.offers_bits = 0;
    begin(&stage);
    add("ask", 0);
    pawl_result *result = execute(ask_for_too_long);
    TEST_TEXT(pawl_result_kind(result), "deadline");
    CU_ASSERT_EQUAL(seen_fd, -1);
    CU_ASSERT_EQUAL(timing(result, "waiting_ms"), 0);
    end(result);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"the wall clock stands still", the_wall_clock_stands_still},
        {"whoever sleeps meanwhile sleeps on", whoever_sleeps_sleeps_on},
        {"the deadline comes afterwards", the_deadline_comes_afterwards},
        {"other calls go on", other_calls_go_on},
        {"waits overlap", waits_overlap},
        {"a cancelled run reaches the stage", a_cancelled_run_reaches_the_stage},
        {"other stages have no time to wait", others_have_no_time},
        CU_TEST_INFO_NULL,
    };
    return test_suite("waiting", tests);
}
