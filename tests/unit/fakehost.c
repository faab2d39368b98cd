#include "fakehost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ECHO, LIST, RAW, FAIL, DENY, BROKEN, END, WAIT, OTHER_ECHO };

#define FUNCTION(fname, falias, findex)                                               \
    {                                                                                 \
        .header = {PAWL_MAGIC_FUNCTION, sizeof(struct pawl_function), PAWL_ABI_MAJOR, \
                   PAWL_ABI_MINOR},                                                   \
        .name = fname, .alias = falias, .index = findex                               \
    }

static const struct pawl_function functions[] = {
    FUNCTION("echo", NULL, ECHO),         FUNCTION("list", NULL, LIST),
    FUNCTION("raw", NULL, RAW),           FUNCTION("fail", NULL, FAIL),
    FUNCTION("deny", NULL, DENY),         FUNCTION("broken", NULL, BROKEN),
    FUNCTION("end", NULL, END),           FUNCTION("wait", NULL, WAIT),
    FUNCTION("to-list", "to_list", LIST), FUNCTION("echo", NULL, OTHER_ECHO)};

static const struct pawl_function *const tools_functions[] = {
    &functions[0], &functions[1], &functions[2], &functions[3], &functions[4],
    &functions[5], &functions[6], &functions[7], &functions[8]};
static const struct pawl_function *const other_functions[] = {&functions[9]};

static const struct pawl_namespace tools = {.header = PAWL_HEADER(NAMESPACE, tools),
                                            .name = "tools",
                                            .error_class = "ToolCallError",
                                            .member_property = "toolName",
                                            .functions = tools_functions,
                                            .function_count = 9};
static const struct pawl_namespace other = {.header = PAWL_HEADER(NAMESPACE, other),
                                            .name = "other",
                                            .functions = other_functions,
                                            .function_count = 1};
static const struct pawl_namespace *const namespaces[] = {&tools, &other};

static char *copy_bytes(const char *text, size_t size)
{
    char *copy = malloc(size + 1);

    if (copy == NULL)
        abort();
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

static void replace(char **text, const char *with, size_t size)
{
    free(*text);
    *text = with == NULL ? NULL : copy_bytes(with, size);
}

static void append(char **text, const char *more, size_t size)
{
    size_t used = *text == NULL ? 0 : strlen(*text);
    char *grown = realloc(*text, used + size + 1);

    if (grown == NULL)
        abort();
    memcpy(grown + used, more, size);
    grown[used + size] = 0;
    *text = grown;
}

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- Services ------------------------------------------------------------------------------ */

static uint32_t cancelled(void *context)
{
    struct fakehost *host = context;
    uint32_t end = atomic_load(&host->end);

    if (end != PAWL_END_NONE)
        return end;
    return host->run.deadline != 0 && now() >= host->run.deadline ? PAWL_END_DEADLINE
                                                                  : PAWL_END_NONE;
}

static int32_t call(void *context, uint32_t function, const char *arguments, size_t size,
                    uint64_t *id)
{
    struct fakehost *host = context;

    if (cancelled(host))
        return PAWL_E_ENDED;
    if (function > OTHER_ECHO || size < 2 || arguments[0] != '[' || arguments[size - 1] != ']' ||
        host->in_flight == 64)
        return PAWL_E_ARGUMENT;
    if (host->on_call != NULL)
        host->on_call(host, function);
    replace(&host->arguments, arguments, size);
    if (function == END) {
        atomic_store(&host->end, PAWL_END_CALLS);
        return PAWL_E_ENDED;
    }
    *id = (uint64_t)++host->calls;
    host->call[host->in_flight].id = *id;
    host->call[host->in_flight].function = function;
    host->call[host->in_flight].arguments = copy_bytes(arguments, size);
    host->in_flight++;
    return PAWL_OK;
}

/* The text of the first element of a JSON array. */
static char *first_element(const char *array)
{
    int depth = 0, in_string = 0;
    size_t i;

    for (i = 1; array[i] != 0; i++) {
        if (in_string) {
            if (array[i] == '\\')
                i++;
            else if (array[i] == '"')
                in_string = 0;
            continue;
        }
        if (array[i] == '"')
            in_string = 1;
        else if (array[i] == '[' || array[i] == '{')
            depth++;
        else if ((array[i] == ']' || array[i] == '}' || array[i] == ',') && depth == 0)
            break;
        else if (array[i] == ']' || array[i] == '}')
            depth--;
    }
    return i == 1 ? copy_bytes("null", 4) : copy_bytes(array + 1, i - 1);
}

static void settle(struct fakehost *host, uint32_t function, const char *arguments,
                   struct pawl_settlement *settlement)
{
    settlement->status = function == FAIL     ? PAWL_SETTLED_ERROR
                         : function == DENY   ? PAWL_SETTLED_DENIED
                         : function == BROKEN ? PAWL_SETTLED_FAILED
                                              : PAWL_SETTLED_OK;
    settlement->code = function == FAIL     ? "tool_error"
                       : function == DENY   ? "stage_denied"
                       : function == BROKEN ? "stage_failed"
                                            : NULL;
    free(host->text);
    switch (function) {
    case LIST:
        host->text = copy_bytes(arguments, strlen(arguments));
        break;
    case RAW:
        host->text = copy_bytes(host->raw, strlen(host->raw));
        break;
    case DENY:
        host->text = copy_bytes("not allowed", 11);
        break;
    case BROKEN:
        host->text = copy_bytes("the stage broke", 15);
        break;
    default:
        host->text = first_element(arguments);
    }
    settlement->text.data = host->text;
    settlement->text.size = (uint32_t)strlen(host->text);
}

static int32_t next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    struct fakehost *host = context;

    for (;;) {
        if (cancelled(host))
            return PAWL_E_ENDED;
        if (host->in_flight == 0 && timeout > 0) {
            nanosleep(&(struct timespec){timeout / 1000, timeout % 1000 * 1000000L}, NULL);
            return cancelled(host) ? PAWL_E_ENDED : PAWL_E_TIMEOUT;
        }
        if (host->in_flight == 0)
            return PAWL_E_STATE;
        for (int i = 0; i < host->in_flight; i++) {
            if (host->call[i].function == WAIT)
                continue;
            settlement->id = host->call[i].id;
            settle(host, host->call[i].function, host->call[i].arguments, settlement);
            free(host->call[i].arguments);
            host->in_flight--;
            memmove(&host->call[i], &host->call[i + 1],
                    (size_t)(host->in_flight - i) * sizeof host->call[0]);
            return PAWL_OK;
        }
        if (timeout >= 0)
            return PAWL_E_TIMEOUT;
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

static int32_t settled_fd(void *context)
{
    (void)context;
    return PAWL_E_UNSUPPORTED;
}

static int32_t add_log(void *context, const char *text, size_t size)
{
    struct fakehost *host = context;

    if (cancelled(host))
        return PAWL_E_ENDED;
    append(&host->logs, text, size);
    append(&host->logs, "\n", 1);
    return PAWL_OK;
}

static int32_t discover(void *context, const char *query, size_t size, const struct pawl_sink *out)
{
    struct fakehost *host = context;

    replace(&host->arguments, query, size);
    out->write(out->context, host->found, strlen(host->found) / 2);
    out->write(out->context, host->found + strlen(host->found) / 2,
               strlen(host->found) - strlen(host->found) / 2);
    return PAWL_OK;
}

static int32_t clock_now(void *context, int64_t *nanoseconds)
{
    struct fakehost *host = context;

    *nanoseconds = host->clock;
    return PAWL_OK;
}

static int32_t random_bytes(void *context, void *buffer, size_t size)
{
    struct fakehost *host = context;

    for (size_t i = 0; i < size; i++) {
        host->random = host->random * 6364136223846793005u + 1442695040888963407u;
        ((unsigned char *)buffer)[i] = (unsigned char)(host->random >> 56);
    }
    return PAWL_OK;
}

static int32_t fact(void *context, const char *name, const char *json, size_t size)
{
    struct fakehost *host = context;

    append(&host->facts, name, strlen(name));
    append(&host->facts, "=", 1);
    append(&host->facts, json, size);
    append(&host->facts, "\n", 1);
    return PAWL_OK;
}

static int32_t value(void *context, const char *json, size_t size)
{
    struct fakehost *host = context;

    host->ends++;
    replace(&host->value, json, size);
    return PAWL_OK;
}

static int32_t fail(void *context, const struct pawl_failure *failure)
{
    struct fakehost *host = context;

    host->ends++;
    replace(&host->kind, failure->kind, strlen(failure->kind));
    replace(&host->message, failure->message.data, failure->message.size);
    replace(&host->subject, failure->subject.data, failure->subject.size);
    host->line = failure->line;
    host->column = failure->column;
    host->failed_call = failure->call;
    return PAWL_OK;
}

/* --- The host ------------------------------------------------------------------------------ */

void fakehost_init(struct fakehost *host, const char *language)
{
    memset(host, 0, sizeof *host);
    host->budget.header = (struct pawl_header)PAWL_HEADER(BUDGET, host->budget);
    host->policy.header = (struct pawl_header)PAWL_HEADER(POLICY, host->policy);
    host->raw = "null";
    host->clock = 1700000000123456789;
    host->run = (struct pawl_run){.header = PAWL_HEADER(RUN, host->run),
                                  .context = host,
                                  .language = language,
                                  .budget = &host->budget,
                                  .policy = &host->policy,
                                  .namespaces = namespaces,
                                  .namespace_count = 2,
                                  .call = call,
                                  .next = next,
                                  .settled_fd = settled_fd,
                                  .log = add_log,
                                  .discover = discover,
                                  .cancelled = cancelled,
                                  .clock = clock_now,
                                  .random = random_bytes,
                                  .fact = fact,
                                  .value = value,
                                  .fail = fail};
}

static void forget(struct fakehost *host)
{
    char **const texts[] = {&host->value,   &host->kind,      &host->message,
                            &host->subject, &host->logs,      &host->facts,
                            &host->why,     &host->arguments, &host->text};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        replace(texts[i], NULL, 0);
    for (int i = 0; i < host->in_flight; i++)
        free(host->call[i].arguments);
    host->in_flight = host->calls = host->ends = 0;
    host->line = host->column = 0;
    host->failed_call = 0;
    host->random = 1;
}

int32_t fakehost_run_bytes(struct fakehost *host, const struct pawl_provider *provider,
                           void *instance, const char *program, size_t size, uint64_t milliseconds)
{
    struct pawl_sink why = fakehost_sink(&host->why);

    forget(host);
    host->run.program = (struct pawl_text){.data = program, .size = (uint32_t)size};
    host->run.flags = host->found != NULL ? PAWL_RUN_DISCOVER : 0;
    host->budget.wall_clock = milliseconds;
    host->run.deadline = milliseconds == 0 ? 0 : now() + milliseconds * 1000000;
    return provider->run(instance, &host->run, &why);
}

int32_t fakehost_run(struct fakehost *host, const struct pawl_provider *provider, void *instance,
                     const char *program, uint64_t milliseconds)
{
    return fakehost_run_bytes(host, provider, instance, program, strlen(program), milliseconds);
}

void fakehost_release(struct fakehost *host)
{
    forget(host);
}

static void keep(void *context, const char *text, size_t size)
{
    append(context, text, size);
}

struct pawl_sink fakehost_sink(char **text)
{
    return (struct pawl_sink){
        .header = {PAWL_MAGIC_SINK, sizeof(struct pawl_sink), PAWL_ABI_MAJOR, PAWL_ABI_MINOR},
        .context = text,
        .write = keep};
}
