/* A host that embeds pawl from the installed headers alone: it lets a program call one function of
 * its own, and shows what became of it.
 *
 *     cc host.c $(pkg-config --cflags --libs pawl) -o host && ./host
 */
#include <pawl/pawl.h>

#include <stdio.h>
#include <string.h>

static const char program[] = "var sum = 0, logs = tools.get_logs('web-1', 3);\n"
                              "for (var i = 0; i < logs.length; i++) sum += logs[i].ms;\n"
                              "console.log('read ' + logs.length + ' entries');\n"
                              "return {entries: logs.length, mean_ms: sum / logs.length};\n";

/* The program calls get_logs('web-1', 3); this gets {"host":"web-1","count":3}. */
static void get_logs(pawl_call *call, void *data)
{
    const char *logs = "[{\"ms\": 10}, {\"ms\": 20}, {\"ms\": 60}]";
    (void)data;
    if (strstr(pawl_call_arguments(call, NULL), "\"web-1\"") != NULL)
        pawl_call_return(call, logs, strlen(logs));
    else
        pawl_call_fail(call, "there is no such host");
}

/* What the program may do, and how much of it. */
static int describe(pawl_request *request, pawl_error **error)
{
    struct pawl_function_options options = {.size = sizeof(options),
                                            .signature = "get_logs(host, count?)"};
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = 5000;
    budget.max_calls = 10;
    budget.max_memory = 16 << 20;
    pawl_request_add_budget(request, &budget);
    int status = pawl_request_set_program(request, program, strlen(program), error);
    if (status == PAWL_OK)
        status = pawl_request_set_language(request, "javascript-es5", error);
    if (status == PAWL_OK)
        status = pawl_request_set_level(request, PAWL_LEVEL_PROCESS, error);
    if (status == PAWL_OK)
        status = pawl_request_add_function(request, "tools", "get_logs", &options, get_logs, NULL,
                                           error);
    return status;
}

int main(void)
{
    pawl_registry *registry = NULL;
    pawl_request *request = NULL;
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    int status = pawl_registry_new(&registry, &error);
    if (status == PAWL_OK)
        status = pawl_registry_scan(registry, pawl_plugin_directory(), &error);
    if (status == PAWL_OK)
        status = pawl_registry_open_defaults(registry, &error);
    if (status == PAWL_OK)
        status = pawl_request_new(&request, &error);
    if (status == PAWL_OK)
        status = describe(request, &error);
    if (status == PAWL_OK)
        status = pawl_execute(registry, request, &result, &error);
    if (status == PAWL_OK)
        fputs(pawl_result_describe(result, NULL), stdout); /* what the model reads */
    else
        fprintf(stderr, "host: %s\n", pawl_error_message(error));
    int succeeded = status == PAWL_OK && pawl_result_ok(result);
    pawl_result_free(result);
    pawl_request_free(request);
    pawl_registry_free(registry);
    pawl_error_free(error);
    return succeeded ? 0 : 1;
}
