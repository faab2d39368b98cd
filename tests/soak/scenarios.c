#include "tests/soak/scenarios.h"

#include <poll.h>
#include <string.h>

#define MIB (UINT64_C(1) << 20)

/* A wall clock that only a run which hangs ever sees. */
#define LONG_TIME 60000u

#define OUTPUT_LIMIT 65536u
#define CALLS_LIMIT  100u
#define BYTES_LIMIT  (8 * MIB)

const struct scenario scenarios[] = {
    {.name = "value",
     .program = "return {a: [1, 2.5, 'x'], b: null};",
     .kinds = "ok",
     .value = "{\"a\":[1,2.5,\"x\"],\"b\":null}",
     .weight = 20},
    {.name = "nothing", .program = "var a = 1;", .kinds = "ok", .weight = 4},
    {.name = "calls",
     .program = "var n = 0;\n"
                "for (var i = 0; i < 5; i++) n += await tools.echo(i);\n"
                "console.log('sum', n);\n"
                "return n;",
     .kinds = "ok",
     .value = "10",
     .weight = 16},
    {.name = "calls together",
     .program = "const all = await Promise.all([1, 2, 3, 4].map((n) => tools.echo(n)));\n"
                "return all.join();",
     .kinds = "ok",
     .value = "\"1,2,3,4\"",
     .weight = 10,
     .flags = MODERN},
    {.name = "large",
     .program = "var s = await tools.large();\n"
                "return (await tools.echo(s)).length + s.length;",
     .kinds = "ok",
     .value = "600000",
     .weight = 3},
    {.name = "failing tool",
     .program = "await tools.fail(1); return 1;",
     .kinds = "runtime",
     .weight = 6},
    {.name = "failing tool, caught",
     .program = "try { await tools.fail(1); } catch (e) { return e.message; }",
     .kinds = "ok",
     .value = "\"it failed\"",
     .weight = 6},
    {.name = "denied",
     .program = "await tools.denied(1); return 1;",
     .kinds = "stage_denied",
     .weight = 4},
    {.name = "broken stage",
     .program = "await tools.broken(1); return 1;",
     .kinds = "stage_failed",
     .weight = 4},
    {.name = "denied, caught",
     .program = "try { await tools.denied(1); } catch (e) { return e.code; }",
     .kinds = "ok",
     .value = "\"stage_denied\"",
     .weight = 4},
    {.name = "syntax", .program = "return ((", .kinds = "syntax", .weight = 4},
    {.name = "throws", .program = "null.x;", .kinds = "runtime", .weight = 4},
    {.name = "bad value", .program = "return {a: [NaN]};", .kinds = "bad_result", .weight = 4},
    {.name = "pending",
     .program = "await new Promise(() => {});",
     .kinds = "pending",
     .weight = 2,
     .flags = MODERN},
    {.name = "logs without end",
     .program = "while (true) { try { console.log('all work and no play'); } catch (e) {} }",
     .kinds = "output_limit",
     .weight = 3},
    {.name = "calls without end",
     .program = "while (true) { try { await tools.echo(1); } catch (e) {} }",
     .kinds = "budget_calls",
     .weight = 3},
    {.name = "bytes without end",
     .program = "while (true) { try { await tools.large(); } catch (e) {} }",
     .kinds = "budget_bytes",
     .weight = 1},
    {.name = "memory without end",
     .program = "var a = []; while (true) a.push('text ' + a.length);",
     .kinds = "budget_memory",
     .weight = 1,
     .max_memory = 16 * MIB},
    {.name = "deadline",
     .program = "while (true) {}",
     .kinds = "deadline",
     .weight = 2,
     .wall_clock = 5},
    {.name = "deadline in a call",
     .program = "await tools.wait(1); return 1;",
     .kinds = "deadline",
     .weight = 2,
     .wall_clock = 5},
    {.name = "deadline, tight",
     .program = "var n = 0; for (var i = 0; i < 20; i++) n += await tools.echo(i); return n;",
     .kinds = "ok deadline",
     .value = "190",
     .weight = 3,
     .wall_clock = 1},
    {.name = "cancels itself",
     .program = "await tools.cancel(1); return 1;",
     .kinds = "abort",
     .weight = 3},
    {.name = "cancelled while it computes",
     .program = "while (true) {}",
     .kinds = "abort",
     .weight = 2,
     .flags = CANCELLED},
    {.name = "cancelled in a call",
     .program = "await tools.wait(1); return 1;",
     .kinds = "abort",
     .weight = 2,
     .flags = CANCELLED},
    {.name = "cancelled at any moment",
     .program = "var n = 0; for (var i = 0; i < 20; i++) n += await tools.echo(i); return n;",
     .kinds = "ok abort",
     .value = "190",
     .weight = 4,
     .flags = CANCELLED},
    {.name = "cancelled while it logs",
     .program = "while (true) { console.log('x'); await tools.echo(1); }",
     .kinds = "abort output_limit budget_calls",
     .weight = 2,
     .flags = CANCELLED},
};
const size_t scenario_count = sizeof(scenarios) / sizeof(scenarios[0]);

/* --- Functions ----------------------------------------------------------------------------- */

static void enter(void *data)
{
    struct functions *functions = data;
    functions->entered++;
}

static void echo(pawl_call *call, void *data)
{
    size_t size;
    const char *arguments = pawl_call_arguments(call, &size);
    enter(data);
    pawl_call_return(call, arguments, size);
}

static void fails(pawl_call *call, void *data)
{
    enter(data);
    pawl_call_fail(call, "it failed");
}

static void wait_for_nobody(pawl_call *call)
{
    struct pollfd cancelled = {.fd = pawl_call_cancel_fd(call), .events = POLLIN};
    while (!pawl_call_cancelled(call))
        poll(&cancelled, 1, -1);
}

/* Comes back only when nobody waits for it any more, and says nothing. */
static void waits(pawl_call *call, void *data)
{
    enter(data);
    wait_for_nobody(call);
}

/* Cancels the run that called it. */
static void cancels(pawl_call *call, void *data)
{
    struct functions *functions = data;
    struct handle *handle = &functions->handle;
    enter(data);
    pthread_mutex_lock(&handle->lock);
    /* When the run is over already, the handle may be the next one's. */
    if (!pawl_call_cancelled(call) && handle->execution != NULL)
        pawl_execution_cancel(handle->execution);
    else if (!pawl_call_cancelled(call))
        pawl_cancel_now(handle->cancel);
    pthread_mutex_unlock(&handle->lock);
    wait_for_nobody(call);
}

static int add_functions(pawl_request *request, struct functions *functions, pawl_error **error)
{
    static const struct {
        const char *name;
        pawl_host_function function;
        uint32_t concurrent;
    } known[] = {{"echo", echo, 1},      {"fail", fails, 0},  {"wait", waits, 1},
                 {"cancel", cancels, 0}, {"denied", echo, 0}, {"broken", echo, 0}};
    int status = PAWL_OK;
    for (size_t i = 0; status == PAWL_OK && i < sizeof(known) / sizeof(known[0]); i++) {
        const struct pawl_function_options options = {.size = sizeof(options),
                                                      .concurrent = known[i].concurrent};
        status = pawl_request_add_function(request, "tools", known[i].name, &options,
                                           known[i].function, functions, error);
    }
    return status;
}

/* A constant that fills every pipe on its way. */
static int add_large(pawl_request *request, pawl_error **error)
{
    char large[300000 + 2 + 1];
    memset(large, 'x', sizeof(large));
    large[0] = large[sizeof(large) - 2] = '"';
    large[sizeof(large) - 1] = '\0';
    return pawl_request_add_value(request, "tools", "large", NULL, large, error);
}

pawl_request *scenario_request(const struct scenario *scenario, const char *provider,
                               const pawl_ring *ring, struct functions *functions,
                               pawl_error **error)
{
    pawl_request *request;
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = scenario->wall_clock != 0 ? scenario->wall_clock : LONG_TIME;
    budget.max_calls = CALLS_LIMIT;
    budget.max_bytes = BYTES_LIMIT;
    budget.max_memory = scenario->max_memory != 0 ? scenario->max_memory : 64 * MIB;
    if (pawl_request_new(&request, error) != PAWL_OK)
        return NULL;
    int status =
        pawl_request_set_program(request, scenario->program, strlen(scenario->program), error);
    if (status == PAWL_OK)
        status = pawl_request_set_language(
            request, scenario->flags & MODERN ? "javascript" : "javascript-es5", error);
    if (status == PAWL_OK)
        status = pawl_request_set_level(request, PAWL_LEVEL_PROCESS, error);
    if (status == PAWL_OK)
        status = pawl_request_set_provider(request, provider, error);
    if (status == PAWL_OK)
        status = add_functions(request, functions, error);
    if (status == PAWL_OK && strstr(scenario->program, "tools.large") != NULL)
        status = add_large(request, error);
    pawl_request_add_budget(request, &budget);
    pawl_request_set_output_limit(request, OUTPUT_LIMIT);
    pawl_request_set_ring(request, ring);
    if (status == PAWL_OK)
        return request;
    pawl_request_free(request);
    return NULL;
}

/* --- The stage ----------------------------------------------------------------------------- */

static int32_t create(const char *config, const struct pawl_sink *why, void **instance)
{
    (void)config, (void)why;
    *instance = NULL;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    (void)instance;
    if (strcmp(call->function, "broken") == 0)
        return PAWL_E_SYSTEM;
    if (strcmp(call->function, "denied") == 0)
        why->write(why->context, "not this one", strlen("not this one"));
    else
        *verdict = PAWL_VERDICT_ALLOW;
    return PAWL_OK;
}

const struct pawl_stage scenario_stage = {
    .header = PAWL_HEADER(STAGE, scenario_stage),
    .name = "soak",
    .version = "1",
    .description = "denies one function and breaks at another",
    .threads = 2,
    .create = create,
    .destroy = destroy,
    .judge = judge,
};
