/* Sixteen threads, one registry, one ring, ten thousand runs: values, calls in flight,
 * cancellations, budgets, one request on many threads, while providers are opened, listed and
 * resolved. Meant for ThreadSanitizer, true without it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "tests/unit/scripted.h"
#include "tests/unit/test.h"

#define THREADS        16
#define RUNS           10000
#define RUNS_OF_THREAD (RUNS / THREADS)
#define IN_FLIGHT      10u
#define OPENED         4 /* instances that each thread adds */

static pawl_registry *registry;
static pawl_ring *ring;
static atomic_uint runs;
static atomic_uint faults;

/* CUnit's assertions are for one thread. */
#define CHECK(condition)                 \
    do {                                 \
        if (!(condition))                \
            fault(#condition, __LINE__); \
    } while (0)

static void fault(const char *what, int line)
{
    if (atomic_fetch_add(&faults, 1) < 20)
        printf("# line %d: %s\n", line, what);
}

/* --- Programs: the first letter says which ---------------------------------------------------- */

static int32_t give(const struct pawl_run *run, const char *json)
{
    return run->value(run->context, json, strlen(json));
}

/* Takes `count` settled calls and returns the sum of the digits that they answered. */
static int32_t take(const struct pawl_run *run, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++) {
        struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
        int32_t status = run->next(run->context, -1, &settled);
        if (status != PAWL_OK)
            return status == PAWL_E_ENDED ? PAWL_OK : status;
        CHECK(settled.status == PAWL_SETTLED_OK && settled.text.size == 1);
        sum += (unsigned)(settled.text.data[0] - '0');
    }
    char text[16];
    snprintf(text, sizeof(text), "%u", sum);
    return give(run, text);
}

static int32_t program(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    uint64_t id;
    int32_t status = PAWL_OK;
    switch (run->program.data[0]) {
    case 'c': /* calls in flight */
        for (unsigned i = 0; status == PAWL_OK && i < IN_FLIGHT; i++)
            status = run->call(run->context, i % 2, "[1]", 3, &id);
        return status == PAWL_OK ? take(run, IN_FLIGHT) : status;
    case 'w': /* a call that waits until the run is cancelled */
        status = run->call(run->context, 0, "[]", 2, &id);
        return status == PAWL_OK ? take(run, 1) : status;
    case 'b': /* more calls than the budget has */
        while (status == PAWL_OK)
            status = run->call(run->context, 1, "[]", 2, &id);
        CHECK(status == PAWL_E_ENDED);
        return PAWL_OK;
    default:
        run->log(run->context, "hello", 5);
        return give(run, "1");
    }
}

/* One run at a time: what a provider may rely on that asks for it. */
static atomic_int alone;

static int32_t run_alone(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)instance;
    CHECK(atomic_fetch_add(&alone, 1) == 0);
    int32_t status = program(run, why);
    CHECK(atomic_fetch_sub(&alone, 1) == 1);
    return status;
}

/* --- The host ------------------------------------------------------------------------------- */

static void one(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_return(call, "1", 1);
}

/* Says that it has begun, and waits until it is cancelled. */
static void wait_for_cancel(pawl_call *call, void *data)
{
    sem_post(data);
    while (!pawl_call_cancelled(call))
        sched_yield();
    CHECK(pawl_call_cancel_fd(call) >= 0);
}

static pawl_request *new_request(const char *text, const char *provider,
                                 pawl_host_function function, void *data)
{
    pawl_request *request = NULL;
    struct pawl_function_options options = {.size = sizeof(options), .concurrent = 1};
    if (pawl_request_new(&request, NULL) != PAWL_OK)
        abort();
    pawl_request_set_program(request, text, strlen(text), NULL);
    pawl_request_set_level(request, PAWL_LEVEL_PROCESS, NULL);
    pawl_request_set_provider(request, provider, NULL);
    pawl_request_set_ring(request, ring);
    CHECK(pawl_request_add_function(request, "tools", "one", &options, function, data, NULL) ==
          PAWL_OK);
    CHECK(pawl_request_add_value(request, "tools", "constant", NULL, "2", NULL) == PAWL_OK);
    return request;
}

static pawl_result *execute(const pawl_request *request)
{
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    int status = pawl_execute(registry, request, &result, &error);
    if (status != PAWL_OK) {
        fault(pawl_error_message(error), __LINE__);
        abort();
    }
    return result;
}

static void check_value(pawl_result *result, const char *value)
{
    CHECK(pawl_result_ok(result) && strcmp(pawl_result_value(result, NULL), value) == 0);
    CHECK(pawl_result_json(result, NULL) != NULL);
    pawl_result_free(result);
}

static void run_for_value(const char *text, const char *provider, const char *value)
{
    pawl_request *request = new_request(text, provider, one, NULL);
    check_value(execute(request), value);
    pawl_request_free(request);
}

static void run_out_of_calls(void)
{
    pawl_request *request = new_request("b", "parallel", one, NULL);
    struct pawl_budget budget = pawl_budget_empty();
    budget.max_calls = 5;
    pawl_request_add_budget(request, &budget);
    pawl_result *result = execute(request);
    CHECK(pawl_result_kind(result) != NULL &&
          strcmp(pawl_result_kind(result), "budget_calls") == 0);
    CHECK(pawl_result_calls(result) == 5);
    pawl_result_free(result);
    pawl_request_free(request);
}

/* Cancels a run from this thread, by its execution or by a token. */
static void run_and_cancel(bool by_token)
{
    sem_t begun;
    pawl_cancel *token = NULL;
    pawl_execution *execution = NULL;
    pawl_result *result = NULL;
    sem_init(&begun, 0, 0);
    CHECK(pawl_cancel_new(&token, NULL) == PAWL_OK);
    pawl_request *request = new_request("w", "parallel", wait_for_cancel, &begun);
    pawl_request_set_cancel(request, token);
    if (pawl_start(registry, request, &execution, NULL) != PAWL_OK)
        abort();
    sem_wait(&begun);
    if (by_token)
        pawl_cancel_now(token);
    else
        pawl_execution_cancel(execution);
    CHECK(pawl_wait(execution, -1, &result, NULL) == PAWL_OK);
    CHECK(strcmp(pawl_result_kind(result), "abort") == 0);
    pawl_result_free(result);
    pawl_execution_free(execution);
    pawl_request_free(request);
    pawl_cancel_free(token);
    sem_destroy(&begun);
}

static void list(void)
{
    pawl_listing *listing = NULL;
    CHECK(pawl_registry_list(registry, &listing, NULL) == PAWL_OK);
    size_t size = pawl_listing_size(listing);
    CHECK(size >= 2);
    for (size_t i = 1; i < size; i++)
        CHECK(strcmp(pawl_listing_at(listing, i - 1)->id, pawl_listing_at(listing, i)->id) < 0);
    pawl_listing_free(listing);
}

static void open_and_run(unsigned thread, unsigned number)
{
    char id[32];
    snprintf(id, sizeof(id), "extra-%u-%u", thread, number);
    CHECK(pawl_registry_add(registry, &scripted_provider, id, NULL, NULL) == PAWL_OK);
    CHECK(pawl_registry_add(registry, &scripted_provider, id, NULL, NULL) == PAWL_E_DUPLICATE);
    run_for_value("v", id, "1");
}

static pawl_request *shared_request;

static void *thread_main(void *argument)
{
    unsigned thread = (unsigned)(uintptr_t)argument;
    for (unsigned i = 0; i < RUNS_OF_THREAD; i++, atomic_fetch_add(&runs, 1)) {
        switch ((thread + i) % 8) {
        case 0:
            run_for_value("v", "parallel", "1");
            break;
        case 1:
            run_for_value("c", "parallel", "15"); /* five of 1, five of 2 */
            break;
        case 2:
            run_and_cancel(i % 16 < 8);
            break;
        case 3:
            check_value(execute(shared_request), "15");
            break;
        case 4:
            run_out_of_calls();
            break;
        case 5:
            list();
            run_for_value("v", "alone", "1");
            break;
        case 6:
            if (i / 8 < OPENED)
                open_and_run(thread, i / 8);
            else
                run_for_value("c", "parallel", "15");
            break;
        default:
            run_for_value("c", "alone", "15");
            break;
        }
    }
    return NULL;
}

static void test_threads(void)
{
    struct pawl_provider one_at_a_time = scripted_provider;
    one_at_a_time.threads = PAWL_THREADS_SERIAL;
    one_at_a_time.run = run_alone;
    scripted_program = program;
    CU_ASSERT_EQUAL_FATAL(pawl_registry_new(&registry, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_add(registry, &scripted_provider, "parallel", NULL, NULL),
                    PAWL_OK);
    CU_ASSERT_EQUAL(pawl_registry_add(registry, &one_at_a_time, "alone", NULL, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(pawl_ring_new(&ring, NULL), PAWL_OK);
    CU_ASSERT_EQUAL(pawl_ring_add(ring, &denying_stage, "nothing", NULL), PAWL_OK);
    shared_request = new_request("c", "parallel", one, NULL);

    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, thread_main, (void *)(uintptr_t)i),
                              0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);

    CU_ASSERT_EQUAL(atomic_load(&runs), RUNS);
    CU_ASSERT_EQUAL(atomic_load(&faults), 0);
    pawl_request_free(shared_request);
    pawl_registry_free(registry);
    pawl_ring_free(ring);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"ten thousand runs on sixteen threads", test_threads},
        CU_TEST_INFO_NULL,
    };
    return test_suite("threads", tests);
}
