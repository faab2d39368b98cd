#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static const struct pawl_function functions[] = {
    {.header = PAWL_HEADER(FUNCTION, functions[0]),
     .name = "echo",
     .signature = NULL,
     .index = HOST_ECHO,
     .flags = PAWL_FUNCTION_CONCURRENT},
    {.header = PAWL_HEADER(FUNCTION, functions[0]), .name = "never", .index = HOST_NEVER},
    {.header = PAWL_HEADER(FUNCTION, functions[0]),
     .name = "fa-il",
     .alias = "fa_il",
     .signature = "fail(why?)",
     .index = HOST_FAIL},
    {.header = PAWL_HEADER(FUNCTION, functions[0]), .name = "deny", .index = HOST_DENY},
};
static const struct pawl_function *const function_list[] = {&functions[0], &functions[1],
                                                            &functions[2], &functions[3]};
static const struct pawl_namespace tools = {
    .header = PAWL_HEADER(NAMESPACE, tools),
    .name = "tools",
    .error_class = "ToolCallError",
    .member_property = "toolName",
    .functions = function_list,
    .function_count = 4,
};
static const struct pawl_namespace *const namespaces[] = {&tools};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint32_t cancelled(void *context)
{
    struct host *host = context;
    uint32_t end = atomic_load(&host->end);
    if (end == PAWL_END_NONE && host->run.deadline != 0 && now() >= host->run.deadline) {
        atomic_compare_exchange_strong(&host->end, &end, PAWL_END_DEADLINE);
        end = atomic_load(&host->end);
    }
    return end;
}

static void wake(struct host *host)
{
    eventfd_write(host->settled, 1);
}

void host_cancel(struct host *host, uint32_t why)
{
    uint32_t none = PAWL_END_NONE;
    atomic_compare_exchange_strong(&host->end, &none, why);
    wake(host);
}

static int32_t call(void *context, uint32_t function, const char *arguments, size_t size,
                    uint64_t *id)
{
    struct host *host = context;
    if (cancelled(host) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (function >= 4)
        return PAWL_E_ARGUMENT;
    if (host->budget.max_calls != 0 && atomic_load(&host->calls) == host->budget.max_calls) {
        host_cancel(host, PAWL_END_CALLS);
        return PAWL_E_ENDED;
    }
    *id = (atomic_fetch_add(&host->calls, 1) + 1) * 10; /* unlike the ids of the wire */
    host->in_flight++;
    if (function == HOST_NEVER)
        return PAWL_OK;
    host->waiting = realloc(host->waiting, (host->waiting_count + 1) * sizeof(*host->waiting));
    struct host_call *settled = &host->waiting[host->waiting_count++];
    *settled = (struct host_call){.id = *id, .status = PAWL_SETTLED_OK};
    if (function == HOST_ECHO) {
        text_append(&settled->text, arguments, size);
    } else {
        settled->status = function == HOST_FAIL ? PAWL_SETTLED_ERROR : PAWL_SETTLED_DENIED;
        text_string(&settled->text, function == HOST_FAIL ? "it broke" : "not \"this\"\n one");
    }
    wake(host);
    return PAWL_OK;
}

static int32_t next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    struct host *host = context;
    (void)timeout;
    if (cancelled(host) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (host->in_flight == 0)
        return PAWL_E_STATE;
    if (host->waiting_first == host->waiting_count)
        return PAWL_E_TIMEOUT;
    struct host_call *settled = &host->waiting[host->waiting_first++];
    text_free(&host->taken);
    host->taken = settled->text;
    settled->text = (struct text){0};
    host->in_flight--;
    settlement->id = settled->id;
    settlement->status = settled->status;
    settlement->text.data = text_get(&host->taken);
    settlement->text.size = (uint32_t)host->taken.size;
    settlement->code = settled->status == PAWL_SETTLED_OK      ? NULL
                       : settled->status == PAWL_SETTLED_ERROR ? "tool_error"
                                                               : "stage_denied";
    if (host->waiting_first == host->waiting_count) {
        eventfd_t count;
        host->waiting_first = host->waiting_count = 0;
        eventfd_read(host->settled, &count);
    }
    return PAWL_OK;
}

static int32_t settled_fd(void *context)
{
    return ((struct host *)context)->settled;
}

static int32_t log_entry(void *context, const char *text, size_t size)
{
    struct host *host = context;
    if (cancelled(host) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (host->most_log_bytes != 0 && host->logs.size + size > host->most_log_bytes) {
        host_cancel(host, PAWL_END_OUTPUT);
        return PAWL_E_ENDED;
    }
    text_append(&host->logs, text, size);
    text_append(&host->logs, "\n", 1);
    return PAWL_OK;
}

static int32_t discover(void *context, const char *query, size_t size,
                        const struct pawl_sink *answer)
{
    (void)context;
    if (size == 0) {
        answer->write(answer->context, "nothing was asked", 17);
        return PAWL_E_ARGUMENT;
    }
    answer->write(answer->context, "[{\"name\":\"", 10);
    answer->write(answer->context, query, size);
    answer->write(answer->context, "\"}]", 3);
    return PAWL_OK;
}

static int32_t clock_now(void *context, int64_t *nanoseconds)
{
    (void)context;
    *nanoseconds = INT64_C(1700000000123456789);
    return PAWL_OK;
}

static int32_t random_bytes(void *context, void *buffer, size_t size)
{
    (void)context;
    memset(buffer, 0x5a, size);
    return PAWL_OK;
}

static int32_t fact(void *context, const char *name, const char *json, size_t size)
{
    struct host *host = context;
    if (host->forgets_facts)
        return PAWL_OK;
    text_format(&host->facts, "%s=", name);
    text_append(&host->facts, json, size);
    text_append(&host->facts, "\n", 1);
    return PAWL_OK;
}

static int32_t value(void *context, const char *json, size_t size)
{
    struct host *host = context;
    host->ends++;
    host->has_value = json != NULL;
    text_append(&host->value, json, size);
    return PAWL_OK;
}

static int32_t fail(void *context, const struct pawl_failure *failure)
{
    struct host *host = context;
    host->ends++;
    snprintf(host->kind, sizeof(host->kind), "%s", failure->kind);
    text_append(&host->message, failure->message.data, failure->message.size);
    text_append(&host->subject, failure->subject.data, failure->subject.size);
    host->line = failure->line;
    host->column = failure->column;
    host->call = failure->call;
    for (size_t i = 0; failure->suggestions != NULL && failure->suggestions[i] != NULL; i++)
        text_format(&host->suggestions, "%s\n", failure->suggestions[i]);
    return PAWL_OK;
}

void host_begin(struct host *host, const char *program)
{
    *host = (struct host){
        .run =
            {
                .header = PAWL_HEADER(RUN, host->run),
                .context = host,
                .program = {.data = program, .size = (uint32_t)strlen(program)},
                .language = "stub",
                .budget = &host->budget,
                .policy = &host->policy,
                .namespaces = namespaces,
                .namespace_count = 1,
                .call = call,
                .next = next,
                .settled_fd = settled_fd,
                .log = log_entry,
                .discover = discover,
                .cancelled = cancelled,
                .clock = clock_now,
                .random = random_bytes,
                .fact = fact,
                .value = value,
                .fail = fail,
            },
        .budget = {.header = PAWL_HEADER(BUDGET, host->budget)},
        .policy = {.header = PAWL_HEADER(POLICY, host->policy)},
        .settled = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
    };
    host_set_deadline(host, 60000);
}

void host_clear(struct host *host)
{
    close(host->settled);
    for (size_t i = host->waiting_first; i < host->waiting_count; i++)
        text_free(&host->waiting[i].text);
    free(host->waiting);
    struct text *const texts[] = {&host->logs,    &host->facts,       &host->value, &host->message,
                                  &host->subject, &host->suggestions, &host->taken, &host->why};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        text_free(texts[i]);
}

void host_set_deadline(struct host *host, unsigned milliseconds)
{
    host->run.deadline = now() + milliseconds * UINT64_C(1000000);
    host->budget.wall_clock = milliseconds;
}

int32_t host_run(struct host *host, const struct pawl_provider *provider, void *instance)
{
    struct pawl_sink sink = text_sink(&host->why);
    return provider->run(instance, &host->run, &sink);
}

static int32_t find_provider(void *context, const char *name, const struct pawl_sink *path)
{
    const char *found = context;
    if (strcmp(name, "stub") != 0) {
        path->write(path->context, "there is no such plugin", 23);
        return PAWL_E_UNKNOWN;
    }
    path->write(path->context, found, strlen(found));
    return PAWL_OK;
}

struct pawl_host host_services(const char *path)
{
    return (struct pawl_host){
        .header = PAWL_HEADER(HOST, struct pawl_host),
        .context = (void *)path,
        .version = "0.1.0",
        .find_provider = find_provider,
    };
}
