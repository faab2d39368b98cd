/* A host assembles a request, runs it and shows the result while the n-th allocation fails: nothing
 * crashes, nothing is lost, and what comes out is right or says that there was no memory. */
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "tests/unit/oom.h"
#include "tests/unit/scripted.h"
#include "tests/unit/test.h"

#define PROGRAM "line 1\nline 2\n"
#define VALUE   "{\"sum\":3}"

/* --- The program ---------------------------------------------------------------------------- */

/* Says so when a call failed; the answers are checked by the host. */
static int32_t fail_with(const struct pawl_run *run, const struct pawl_settlement *settled)
{
    struct pawl_failure failure = {
        .kind = "runtime",
        .message = settled->text,
        .subject = {.data = "tools.sun", .size = 9},
        .call = settled->id,
        .line = 2,
        .column = 1,
        .suggestions = (const char *const[]){"ask for less", NULL},
    };
    failure.header = (struct pawl_header)PAWL_HEADER(FAILURE, failure);
    return run->fail(run->context, &failure);
}

static void sink_nothing(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
}

static int32_t find_something(const struct pawl_run *run)
{
    struct pawl_sink sink = {.write = sink_nothing};
    sink.header = (struct pawl_header)PAWL_HEADER(SINK, sink);
    return run->discover(run->context, "sum", 3, &sink);
}

/* Calls functions 0 to 4, takes what settles, and returns VALUE. */
static int32_t program(const struct pawl_run *run, const struct pawl_sink *why)
{
    static const char *const arguments[] = {"[1,2]", "[]", "[\"quick\"]", "[]", "[1,2,3]"};
    const char *fact = "{\"grade\":\"full\",\"by\":\"the script\"}";
    int32_t status = run->log(run->context, "begun", 5);
    if (status == PAWL_OK)
        status = run->fact(run->context, "memory", fact, strlen(fact));
    if (status == PAWL_OK)
        status = run->settled_fd(run->context) < 0 ? PAWL_E_SYSTEM : PAWL_OK;
    if (status == PAWL_OK)
        status = find_something(run);
    uint64_t ids[5] = {0};
    for (uint32_t i = 0; status == PAWL_OK && i < 5; i++)
        status = run->call(run->context, i, arguments[i], strlen(arguments[i]), &ids[i]);
    struct pawl_settlement failed = {.status = PAWL_SETTLED_OK};
    for (uint32_t i = 0; status == PAWL_OK && i < 5; i++) {
        struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
        status = run->next(run->context, -1, &settled);
        bool expected = settled.id == ids[4] || settled.id == ids[3] || settled.id == ids[2];
        if (status == PAWL_OK && settled.status != PAWL_SETTLED_OK && !expected)
            return fail_with(run, &settled);
        if (status == PAWL_OK && settled.id == ids[3])
            failed = settled;
    }
    CU_ASSERT_TRUE(status != PAWL_OK || failed.status == PAWL_SETTLED_DENIED ||
                   failed.status == PAWL_SETTLED_ERROR);
    if (status == PAWL_OK)
        return run->value(run->context, VALUE, strlen(VALUE));
    if (status != PAWL_E_ENDED)
        why->write(why->context, "no memory", 9);
    return status == PAWL_E_ENDED ? PAWL_OK : status;
}

/* --- The host ------------------------------------------------------------------------------- */

static void sum(pawl_call *call, void *data)
{
    (void)data;
    TEST_TEXT(pawl_call_arguments(call, NULL), "{\"a\":1,\"b\":2}");
    pawl_call_return(call, "3", 1);
}

static void fail_always(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_fail(call, "token=abcdefghijklmnop is wrong");
}

/* Comes back when it is told that its time is over. */
static void too_slow(pawl_call *call, void *data)
{
    (void)data;
    struct pollfd told = {.fd = pawl_call_cancel_fd(call), .events = POLLIN};
    if (told.fd >= 0)
        poll(&told, 1, -1);
    while (!pawl_call_cancelled(call))
        sched_yield();
}

static int32_t discover(const char *query, size_t size, const struct pawl_sink *answer, void *data)
{
    (void)query, (void)size, (void)data;
    answer->write(answer->context, "[1]", 3);
    return PAWL_OK;
}

static int enforce(const struct pawl_policy *policy, const char *provider, void *data)
{
    (void)policy, (void)provider, (void)data;
    return PAWL_OK;
}

static void on_event(const struct pawl_event *event, void *data)
{
    (void)event, (void)data;
}

struct host {
    pawl_registry *registry;
    pawl_ring *ring;
    pawl_request *request;
    pawl_cancel *cancel;
    pawl_error *error;
};

static int add_functions(struct host *host)
{
    pawl_request *request = host->request;
    struct pawl_function_options with_signature = {
        .size = sizeof(with_signature), .signature = "sum(a, b?)", .description = "adds"};
    struct pawl_function_options concurrent = {.size = sizeof(concurrent), .concurrent = 1};
    struct pawl_function_options brief = {.size = sizeof(brief), .timeout = 1, .concurrent = 1};
    int status = pawl_request_add_namespace(request, "tools", "ToolError", "tool", &host->error);
    if (status == PAWL_OK)
        status = pawl_request_add_function(request, "tools", "sum", &with_signature, sum, NULL,
                                           &host->error);
    if (status == PAWL_OK)
        status = pawl_request_add_value(request, "tools", "get-pi", NULL, "3", &host->error);
    if (status == PAWL_OK)
        status = pawl_request_add_function(request, "tools", "slow", &brief, too_slow, NULL,
                                           &host->error);
    if (status == PAWL_OK)
        status = pawl_request_add_function(request, "tools", "denied", &concurrent, fail_always,
                                           NULL, &host->error);
    with_signature.signature = "fail(x)";
    if (status == PAWL_OK)
        status = pawl_request_add_function(request, "tools", "fail", &with_signature, fail_always,
                                           NULL, &host->error);
    return status;
}

static int assemble(struct host *host)
{
    struct pawl_policy policy = {
        .header = PAWL_HEADER(POLICY, policy),
        .egress = PAWL_EGRESS_PROXY,
        .proxy = "http://localhost:1",
        .working_directory = "/",
    };
    int status = pawl_registry_new(&host->registry, &host->error);
    if (status == PAWL_OK)
        status =
            pawl_registry_add(host->registry, &scripted_provider, "scripted", NULL, &host->error);
    if (status == PAWL_OK)
        status = pawl_ring_new(&host->ring, &host->error);
    if (status == PAWL_OK)
        status = pawl_ring_add(host->ring, &denying_stage, "denied", &host->error);
    if (status == PAWL_OK)
        status = pawl_cancel_new(&host->cancel, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_new(&host->request, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_program(host->request, PROGRAM, strlen(PROGRAM), &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_level(host->request, PAWL_LEVEL_PROCESS, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_provider(host->request, "scripted", &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_policy(host->request, &policy, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_egress_enforcer(host->request, "the host", enforce, NULL,
                                                  &host->error);
    if (status != PAWL_OK)
        return status;
    pawl_request_set_ring(host->request, host->ring);
    pawl_request_set_cancel(host->request, host->cancel);
    pawl_request_set_discoverer(host->request, discover, NULL);
    pawl_request_set_events(host->request, on_event, NULL);
    return add_functions(host);
}

static void check_calls(const pawl_result *result)
{
    for (size_t i = 0; i < pawl_result_calls(result); i++) {
        const struct pawl_call_record *call = pawl_result_call(result, i);
        CU_ASSERT_EQUAL(strncmp(call->name, "tools.", 6), 0);
        CU_ASSERT_EQUAL(call->error == NULL, call->status == PAWL_SETTLED_OK);
        CU_ASSERT_TRUE(call->error == NULL || call->error[0] != '\0');
        CU_ASSERT_TRUE(call->error == NULL || strstr(call->error, "abcdefgh") == NULL);
    }
}

static void check_result(pawl_result *result)
{
    if (pawl_result_ok(result)) {
        TEST_TEXT(pawl_result_value(result, NULL), VALUE);
        TEST_TEXT(pawl_result_log(result, 0, NULL), "begun");
        CU_ASSERT_EQUAL(pawl_result_calls(result), 4); /* bad arguments are none */
    } else {
        const char *kind = pawl_result_kind(result);
        CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
        CU_ASSERT_TRUE(strcmp(kind, "runtime") == 0 || strcmp(kind, "worker_exit") == 0 ||
                       strcmp(kind, "stage_denied") == 0 || strcmp(kind, "stage_failed") == 0);
        CU_ASSERT_TRUE(pawl_result_message(result, NULL)[0] != '\0');
    }
    check_calls(result);
    const char *json = pawl_result_json(result, NULL);
    const char *text = pawl_result_describe(result, NULL);
    oom_stop();
    CU_ASSERT_TRUE(json == NULL || strcmp(json, pawl_result_json(result, NULL)) == 0);
    CU_ASSERT_TRUE(text == NULL || strcmp(text, pawl_result_describe(result, NULL)) == 0);
    json = pawl_result_json(result, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(json);
    CU_ASSERT_PTR_NOT_NULL_FATAL(pawl_result_describe(result, NULL));
    CU_ASSERT_PTR_NOT_NULL(strstr(json, ",\"timing\":{\"setup_ms\":"));
    if (pawl_result_ok(result)) {
        CU_ASSERT_PTR_NOT_NULL(strstr(json, "{\"ok\":true,\"has_value\":true,\"value\":" VALUE));
    }
    pawl_result_free(result);
}

static void check_refusal(const struct host *host, int status)
{
    CU_ASSERT_TRUE(oom_stop());
    CU_ASSERT_TRUE(status == PAWL_E_MEMORY || status == PAWL_E_SYSTEM);
    CU_ASSERT_PTR_NOT_NULL_FATAL(host->error);
    CU_ASSERT_TRUE(pawl_error_message(host->error)[0] != '\0');
}

static void clean_up(struct host *host)
{
    pawl_error_free(host->error);
    pawl_request_free(host->request);
    pawl_registry_free(host->registry);
    pawl_ring_free(host->ring);
    pawl_cancel_free(host->cancel);
}

static void run_here(void)
{
    struct host host = {0};
    pawl_result *result = NULL;
    scripted_program = program;
    int status = assemble(&host);
    if (status == PAWL_OK)
        status = pawl_execute(host.registry, host.request, &result, &host.error);
    if (status == PAWL_OK)
        check_result(result);
    else
        check_refusal(&host, status);
    clean_up(&host);
}

static void run_elsewhere(void)
{
    struct host host = {0};
    pawl_execution *execution = NULL;
    pawl_result *result = NULL;
    scripted_program = program;
    int status = assemble(&host);
    if (status == PAWL_OK)
        status = pawl_start(host.registry, host.request, &execution, &host.error);
    if (status == PAWL_OK)
        status = pawl_wait(execution, -1, &result, &host.error);
    if (status == PAWL_OK)
        check_result(result);
    else
        check_refusal(&host, status);
    pawl_execution_free(execution);
    clean_up(&host);
}

/* A request that no provider satisfies: the reasons take memory, too. */
static void refused(void)
{
    struct host host = {0};
    pawl_result *result = NULL;
    int status = assemble(&host);
    if (status == PAWL_OK)
        status = pawl_request_set_level(host.request, PAWL_LEVEL_MACHINE, &host.error);
    if (status == PAWL_OK)
        status = pawl_execute(host.registry, host.request, &result, &host.error);
    if (status == PAWL_E_NO_PROVIDER && pawl_error_code(host.error) == PAWL_E_NO_PROVIDER) {
        const char *why = NULL;
        CU_ASSERT_EQUAL(pawl_error_refusals(host.error), 1);
        pawl_error_refusal(host.error, 0, NULL, NULL, &why);
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "level too low"));
    } else {
        CU_ASSERT_TRUE(oom_stop());
        CU_ASSERT_TRUE(status == PAWL_E_MEMORY || status == PAWL_E_NO_PROVIDER ||
                       status == PAWL_E_SYSTEM);
        CU_ASSERT_PTR_NOT_NULL(host.error);
    }
    clean_up(&host);
}

static void lists(void)
{
    struct host host = {0};
    pawl_listing *listing = NULL;
    int status = assemble(&host);
    if (status == PAWL_OK)
        status = pawl_registry_list(host.registry, &listing, &host.error);
    if (status == PAWL_OK)
        CU_ASSERT_EQUAL(pawl_listing_size(listing), 1);
    if (status != PAWL_OK)
        check_refusal(&host, status);
    pawl_listing_free(listing);
    clean_up(&host);
}

static void test_run_here(void)
{
    oom_each(run_here);
}

static void test_run_elsewhere(void)
{
    oom_each(run_elsewhere);
}

static void test_refused(void)
{
    oom_each(refused);
}

static void test_lists(void)
{
    oom_each(lists);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"a run on this thread", test_run_here},
        {"a run on another thread", test_run_elsewhere},
        {"a request that is refused", test_refused},
        {"a listing", test_lists},
        CU_TEST_INFO_NULL,
    };
    return test_suite("without memory", tests);
}
