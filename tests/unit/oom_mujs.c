/* The same as oom_run.c with a real engine: whatever allocation fails, of the library or of the
 * provider mujs, a run comes out right or says that there was no memory. */
#include <string.h>

#include <pawl/pawl.h>

#include "tests/unit/oom.h"
#include "tests/unit/test.h"

static const char program[] = "var logs = tools.get_logs('web', 2);\n"
                              "console.log('got', logs.length);\n"
                              "try { tools.fail(); } catch (e) { console.log(e.message); }\n"
                              "return {count: logs.length, first: logs[0], rate: tools.rate()};\n";
#define VALUE "{\"count\":2,\"first\":{\"line\":\"a\"},\"rate\":0.1}"

static void get_logs(pawl_call *call, void *data)
{
    (void)data;
    const char *logs = "[{\"line\":\"a\"},{\"line\":\"b\"}]";
    TEST_TEXT(pawl_call_arguments(call, NULL), "{\"host\":\"web\",\"count\":2}");
    pawl_call_return(call, logs, strlen(logs));
}

static void fail_always(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_fail(call, "no such host");
}

struct host {
    pawl_registry *registry;
    pawl_request *request;
    pawl_error *error;
};

static int assemble(struct host *host)
{
    struct pawl_function_options options = {.size = sizeof(options),
                                            .signature = "get_logs(host, count?)"};
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = 60000;
    budget.max_memory = 16u << 20;
    int status = pawl_registry_new(&host->registry, &host->error);
    if (status == PAWL_OK)
        status =
            pawl_registry_add(host->registry, pawl_provider_entry_v1(), "mujs", NULL, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_new(&host->request, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_program(host->request, program, strlen(program), &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_language(host->request, "javascript-es5", &host->error);
    if (status == PAWL_OK)
        status = pawl_request_set_level(host->request, PAWL_LEVEL_PROCESS, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_add_function(host->request, "tools", "get_logs", &options, get_logs,
                                           NULL, &host->error);
    if (status == PAWL_OK)
        status = pawl_request_add_function(host->request, "tools", "fail", NULL, fail_always, NULL,
                                           &host->error);
    if (status == PAWL_OK)
        status = pawl_request_add_value(host->request, "tools", "rate", NULL, "0.1", &host->error);
    if (status == PAWL_OK)
        pawl_request_add_budget(host->request, &budget);
    return status;
}

/* Whether a failure is the want of memory, in the words of whoever wanted it. */
static bool wants_memory(const pawl_result *result)
{
    const char *message = pawl_result_message(result, NULL);
    return strstr(message, "memory") != NULL || strstr(message, "cannot start a thread") != NULL ||
           strstr(message, "no file descriptor") != NULL;
}

static void check_result(pawl_result *result)
{
    const char *json = pawl_result_json(result, NULL);
    const char *text = pawl_result_describe(result, NULL);
    bool failed = oom_stop();
    (void)json, (void)text;
    if (pawl_result_ok(result)) {
        TEST_TEXT(pawl_result_value(result, NULL), VALUE);
        CU_ASSERT_EQUAL(pawl_result_logs(result), 2);
        TEST_TEXT(pawl_result_log(result, 0, NULL), "got 2");
        const char *second = pawl_result_log(result, 1, NULL);
        if (!failed) {
            TEST_TEXT(second, "no such host");
        }
    } else {
        if (!wants_memory(result))
            TEST_TEXT(pawl_result_message(result, NULL), "a want of memory");
    }
    CU_ASSERT_PTR_NOT_NULL(pawl_result_json(result, NULL));
    CU_ASSERT_PTR_NOT_NULL(pawl_result_describe(result, NULL));
    pawl_result_free(result);
}

static void run_twice(void)
{
    struct host host = {0};
    int status = assemble(&host);
    for (int i = 0; status == PAWL_OK && i < 2; i++) {
        pawl_result *result = NULL;
        status = pawl_execute(host.registry, host.request, &result, &host.error);
        if (status == PAWL_OK)
            check_result(result);
    }
    if (status != PAWL_OK) {
        CU_ASSERT_TRUE(oom_stop());
        CU_ASSERT_TRUE(status == PAWL_E_MEMORY || status == PAWL_E_SYSTEM ||
                       status == PAWL_E_NO_PROVIDER);
        CU_ASSERT_PTR_NOT_NULL_FATAL(host.error);
        if (status != PAWL_E_MEMORY)
            TEST_TEXT(pawl_error_message(host.error), "out of memory");
    }
    pawl_error_free(host.error);
    pawl_request_free(host.request);
    pawl_registry_free(host.registry);
}

static void test_run_twice(void)
{
    oom_each(run_twice);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"two runs of mujs", test_run_twice},
        CU_TEST_INFO_NULL,
    };
    return test_suite("without memory", tests);
}
