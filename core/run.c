#include "core/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "core/calls.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/json.h"
#include "core/redact.h"
#include "core/suggestions.h"
#include "stages/ring.h"

#define MAX_MESSAGE_BYTES    65536u
#define MAX_FACT_BYTES       262144u
#define MAX_DISCOVERED_BYTES (4u << 20)
#define MAX_WHY_BYTES        8192u
#define MAX_OWN_SUGGESTIONS  8u

struct run {
    const pawl_request *request;
    const pawl_spec *spec;
    struct calls *calls;
    pawl_result *result;
    uint64_t output; /* JSON bytes of the logs so far */
    uint64_t output_limit;
    bool ended;            /* value or fail was said */
    struct buffer subject; /* what a failure is about, for the suggestions */
};

/* --- The outcome --------------------------------------------------------------------------- */

/* Sets the failure; a message that is malformed UTF-8 is mended where it is shown. */
static void set_failure(struct run *run, const char *kind, const char *message, size_t size)
{
    pawl_result *result = run->result;
    result->ok = result->has_value = false;
    result->kind = kind;
    if (size > MAX_MESSAGE_BYTES)
        size = MAX_MESSAGE_BYTES;
    free(result->message.data);
    result->message.data = redact(message, size, &result->message.size);
    if (result->message.data == NULL) {
        result->message.size = 0;
        calls_set_end(run->calls, PAWL_END_FAULT);
    }
}

static void set_failure_format(struct run *run, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set_failure_format(struct run *run, const char *kind, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    size_t kept = size < 0 ? 0 : (size_t)size;
    set_failure(run, kind, text, kept < sizeof(text) ? kept : sizeof(text) - 1);
}

/* The failure of a run that the host ended. */
static void set_ended(struct run *run, uint32_t end)
{
    const struct pawl_budget *budget = &run->spec->budget;
    char amount[PAWL_UNIT_SIZE];
    run->result->line = run->result->column = 0;
    switch (end) {
    case PAWL_END_DEADLINE:
        pawl_duration_print(amount, sizeof(amount), budget->wall_clock);
        set_failure_format(run, "deadline", "the program did not end within %s", amount);
        break;
    case PAWL_END_ABORT:
        set_failure_format(run, "abort", "the run was cancelled");
        break;
    case PAWL_END_CALLS:
        if (budget->max_calls != 0)
            set_failure_format(run, "budget_calls",
                               "the program made more than the %" PRIu64 " calls that it may make",
                               budget->max_calls);
        else
            set_failure_format(run, "budget_calls",
                               "the program made more calls than any run may make");
        break;
    case PAWL_END_BYTES:
        pawl_size_print(amount, sizeof(amount), budget->max_bytes);
        set_failure_format(run, "budget_bytes",
                           "the functions returned more than the %s that they may return together",
                           amount);
        break;
    case PAWL_END_MEMORY:
        pawl_size_print(amount, sizeof(amount), budget->max_memory);
        set_failure_format(run, "budget_memory", "the program needed more memory than its %s",
                           amount);
        break;
    case PAWL_END_OUTPUT:
        set_failure_format(run, "output_limit",
                           "the logs and the value together are larger than the %" PRIu64
                           " bytes that are accepted",
                           run->output_limit);
        break;
    default:
        break;
    }
}

/* --- Services ------------------------------------------------------------------------------ */

static int32_t service_call(void *context, uint32_t function, const char *arguments, size_t size,
                            uint64_t *id)
{
    struct run *run = context;
    return run->ended ? PAWL_E_STATE : calls_begin(run->calls, function, arguments, size, id);
}

static int32_t service_next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    struct run *run = context;
    return run->ended ? PAWL_E_STATE : calls_next(run->calls, timeout, settlement);
}

static int32_t service_settled_fd(void *context)
{
    struct run *run = context;
    return calls_settled_fd(run->calls);
}

static uint32_t service_cancelled(void *context)
{
    struct run *run = context;
    return calls_end(run->calls);
}

/* A copy that ends in NUL of text that need not. */
static char *copy_text(const char *text, size_t size)
{
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return NULL;
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static int add_log(pawl_result *result, const char *text, size_t size)
{
    if (result->log_count == result->log_capacity) {
        size_t capacity = result->log_capacity == 0 ? 16 : result->log_capacity * 2;
        struct owned_text *grown = realloc(result->logs, capacity * sizeof(*grown));
        if (grown == NULL)
            return PAWL_E_MEMORY;
        result->logs = grown;
        result->log_capacity = capacity;
    }
    char *copy = copy_text(text, size);
    if (copy == NULL)
        return PAWL_E_MEMORY;
    result->logs[result->log_count++] = (struct owned_text){copy, size};
    return PAWL_OK;
}

static int32_t service_log(void *context, const char *text, size_t size)
{
    struct run *run = context;
    if (calls_end(run->calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (run->ended)
        return PAWL_E_STATE;
    uint64_t cost = json_string_size(text, size) + (run->result->log_count > 0);
    if (run->output + cost > run->output_limit) {
        calls_set_end(run->calls, PAWL_END_OUTPUT);
        return PAWL_E_ENDED;
    }
    if (add_log(run->result, text, size) != PAWL_OK) {
        calls_set_end(run->calls, PAWL_END_FAULT);
        return PAWL_E_ENDED;
    }
    run->output += cost;
    calls_event_log(run->calls, text, size);
    return PAWL_OK;
}

static int32_t service_discover(void *context, const char *query, size_t size,
                                const struct pawl_sink *answer)
{
    struct run *run = context;
    if (run->request->discoverer == NULL)
        return PAWL_E_UNSUPPORTED;
    if (calls_end(run->calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    struct buffer found BUFFER_CLEANUP = {.limit = MAX_DISCOVERED_BYTES};
    struct pawl_sink sink = buffer_sink(&found);
    int status = run->request->discoverer(query, size, &sink, run->request->discoverer_data);
    if (status != PAWL_OK)
        return status;
    if (found.size == 0 || !json_check(found.data, found.size, NULL) ||
        json_first(found.data, found.size) != '[')
        return PAWL_E_ARGUMENT;
    answer->write(answer->context, found.data, found.size);
    return PAWL_OK;
}

static int32_t service_clock(void *context, int64_t *nanoseconds)
{
    (void)context;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    return PAWL_OK;
}

static int32_t service_random(void *context, void *buffer, size_t size)
{
    (void)context;
    char *at = buffer;
    while (size > 0) {
        ssize_t got = getrandom(at, size, 0);
        if (got < 0 && errno != EINTR)
            return PAWL_E_SYSTEM;
        if (got > 0) {
            at += got;
            size -= (size_t)got;
        }
    }
    return PAWL_OK;
}

static int32_t service_fact(void *context, const char *name, const char *json, size_t size)
{
    struct run *run = context;
    enum fact fact = fact_find(name);
    if (fact == FACT_COUNT)
        return PAWL_E_UNSUPPORTED;
    if (size > MAX_FACT_BYTES || !json_check(json, size, NULL) ||
        !fact_fits(fact, json_first(json, size)))
        return PAWL_E_ARGUMENT;
    char *copy = copy_text(json, size);
    if (copy == NULL)
        return PAWL_E_MEMORY;
    free(run->result->facts[fact]);
    run->result->facts[fact] = copy;
    return PAWL_OK;
}

/* Claims the end for the provider: it is said once, and not after the host has ended the run. */
static int claim_end(struct run *run)
{
    if (run->ended)
        return PAWL_E_STATE;
    if (calls_end(run->calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    return PAWL_OK;
}

static int finish(struct run *run)
{
    if (!calls_set_end(run->calls, CALLS_FINISHED))
        return PAWL_E_ENDED;
    run->ended = true;
    return PAWL_OK;
}

static int32_t service_value(void *context, const char *json, size_t size)
{
    struct run *run = context;
    pawl_result *result = run->result;
    int status = claim_end(run);
    if (status != PAWL_OK)
        return status;
    struct buffer why BUFFER_CLEANUP = {0};
    if (json != NULL && !json_check(json, size, &why)) {
        set_failure_format(run, "protocol", "the provider '%s' gave a value that is not JSON: %s",
                           run->spec->provider->id, why.data != NULL ? why.data : "");
        return finish(run);
    }
    if (json != NULL && run->output + size > run->output_limit) {
        calls_set_end(run->calls, PAWL_END_OUTPUT);
        return PAWL_E_ENDED;
    }
    if (json != NULL && (result->value = copy_text(json, size)) == NULL) {
        calls_set_end(run->calls, PAWL_END_FAULT);
        return PAWL_E_ENDED;
    }
    status = finish(run);
    if (status == PAWL_OK) {
        result->ok = true;
        result->has_value = json != NULL;
        result->value_size = json != NULL ? size : 0;
    }
    return status;
}

/* The kinds that a provider may state; the host knows the others itself. */
static const char *own_kind(const char *kind)
{
    static const char *const kinds[] = {
        "syntax",        "runtime",     "pending",  "bad_result",          "output_limit",
        "budget_memory", "worker_exit", "protocol", "sandbox_unavailable",
    };
    for (size_t i = 0; kind != NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(kind, kinds[i]) == 0)
            return kinds[i];
    return NULL;
}

/* A position that is not in the program is made up: better none. */
static void set_position(struct run *run, uint32_t line, uint32_t column)
{
    const char *program = run->request->program;
    const char *end = program + run->request->program_size;
    uint32_t lines = 1;
    for (const char *p = program; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        lines++;
    /* A carriage return alone, U+2028 and U+2029 end lines for JavaScript too. */
    for (const char *p = program; p < end; p++)
        lines += (p[0] == '\r' && (p + 1 == end || p[1] != '\n')) ||
                 (end - p > 2 && (memcmp(p, "\u2028", 3) == 0 || memcmp(p, "\u2029", 3) == 0));
    bool known = line >= 1 && line <= lines;
    run->result->line = known ? line : 0;
    run->result->column = known ? column : 0;
}

static int32_t service_fail(void *context, const struct pawl_failure *given)
{
    struct run *run = context;
    int status = claim_end(run);
    if (status != PAWL_OK)
        return status;
    if (given == NULL || given->header.magic != PAWL_MAGIC_FAILURE ||
        given->header.size < sizeof(given->header))
        return PAWL_E_ARGUMENT;
    struct pawl_failure failure = {0};
    memcpy(&failure, given,
           given->header.size < sizeof(failure) ? given->header.size : sizeof(failure));
    const char *kind = own_kind(failure.kind);
    if (kind == NULL) {
        set_failure_format(run, "protocol",
                           "the provider '%s' stated a failure of the kind '%.64s'",
                           run->spec->provider->id, failure.kind != NULL ? failure.kind : "");
        return finish(run);
    }
    status = finish(run);
    if (status != PAWL_OK)
        return status;
    uint32_t settled = calls_status(run->calls, failure.call);
    if (settled == PAWL_SETTLED_DENIED)
        kind = "stage_denied";
    else if (settled == PAWL_SETTLED_FAILED)
        kind = "stage_failed";
    if (failure.message.size == 0 && strcmp(kind, "budget_memory") == 0)
        set_ended(run, PAWL_END_MEMORY);
    else
        set_failure(run, kind, failure.message.data != NULL ? failure.message.data : "",
                    failure.message.size);
    set_position(run, failure.line, failure.column);
    if (failure.subject.size > 0)
        buffer_append(&run->subject, failure.subject.data, failure.subject.size);
    for (size_t i = 0;
         failure.suggestions != NULL && i < MAX_OWN_SUGGESTIONS && failure.suggestions[i] != NULL;
         i++)
        result_suggest(run->result, failure.suggestions[i]);
    return PAWL_OK;
}

/* --- The run ------------------------------------------------------------------------------- */

static int32_t no_discover(void *context, const char *query, size_t size,
                           const struct pawl_sink *answer)
{
    (void)context, (void)query, (void)size, (void)answer;
    return PAWL_E_UNSUPPORTED;
}

static struct pawl_run make_view(struct run *run, uint64_t deadline)
{
    const pawl_request *request = run->request;
    bool discover = request->discoverer != NULL;
    struct pawl_run view = {
        .context = run,
        .program = {.data = request->program, .size = (uint32_t)request->program_size},
        .language = run->spec->language,
        .budget = &run->spec->budget,
        .policy = &run->spec->policy.view,
        .namespaces = request->views,
        .namespace_count = (uint32_t)request->namespace_count,
        .flags = discover ? PAWL_RUN_DISCOVER : 0,
        .deadline = deadline,
        .call = service_call,
        .next = service_next,
        .settled_fd = service_settled_fd,
        .log = service_log,
        .discover = discover ? service_discover : no_discover,
        .cancelled = service_cancelled,
        .clock = service_clock,
        .random = service_random,
        .fact = service_fact,
        .value = service_value,
        .fail = service_fail,
    };
    view.header = (struct pawl_header)PAWL_HEADER(RUN, view);
    return view;
}

/* What the provider itself answered counts only when nothing has ended the run. */
static void judge_provider(struct run *run, int32_t status, const struct buffer *why)
{
    const char *id = run->spec->provider->id;
    uint32_t end = calls_end(run->calls);
    if (run->ended)
        return;
    if (end != PAWL_END_NONE)
        set_ended(run, end);
    else if (status == PAWL_E_UNAVAILABLE)
        set_failure_format(run, "sandbox_unavailable", "the provider '%s' cannot be used: %s", id,
                           why->size > 0 ? why->data : "it did not say why");
    else if (status == PAWL_E_MEMORY)
        set_failure_format(run, "worker_exit", "the provider '%s' has no memory for the run", id);
    else if (status != PAWL_OK)
        set_failure_format(run, "worker_exit", "the provider '%s' failed (%d): %s", id, status,
                           why->size > 0 ? why->data : "it did not say why");
    else
        set_failure_format(run, "protocol", "the provider '%s' returned without a value or failure",
                           id);
}

/* The diagnosis counts as output, too. */
static void check_output(struct run *run)
{
    pawl_result *result = run->result;
    if (result->ok || result->kind == NULL || strcmp(result->kind, "output_limit") == 0)
        return; /* without a kind the host itself could not go on, and there is no result */
    if (run->output + json_string_size(result->message.data, result->message.size) >
        run->output_limit) {
        result->line = result->column = 0;
        set_ended(run, PAWL_END_OUTPUT);
    }
}

static pawl_result *new_result(const pawl_spec *spec)
{
    pawl_result *result = calloc(1, sizeof(*result));
    if (result == NULL)
        return NULL;
    result->provider = strdup(spec->provider->id);
    result->language = strdup(spec->language);
    result->egress_by = spec->egress_by != NULL ? strdup(spec->egress_by) : NULL;
    result->level = spec->provider->level;
    result->budget = spec->budget;
    result->capped = spec->capped;
    if (result->provider == NULL || result->language == NULL ||
        (spec->egress_by != NULL && result->egress_by == NULL) ||
        policy_copy(&result->policy, &spec->policy.view, NULL) != PAWL_OK) {
        pawl_result_free(result);
        return NULL;
    }
    return result;
}

static bool is_over(void *context)
{
    const struct run *run = context;
    return calls_end(run->calls) != PAWL_END_NONE;
}

/* Where the provider does not enforce the egress that was asked for, the host must say that it
 * does, before anything runs: silence is no enforcement. */
static bool egress_is_enforced(struct run *run)
{
    const struct provider_instance *provider = run->spec->provider;
    const pawl_request *request = run->request;
    const struct pawl_policy *policy = &run->spec->policy.view;
    if (provider->egress >= policy->egress ||
        request->enforcer(policy, provider->id, request->enforcer_data) == PAWL_OK)
        return true;
    set_failure_format(run, "sandbox_unavailable",
                       "the egress is not enforced: '%s' does not do it for the provider '%s'",
                       request->enforcer_name, provider->id);
    free(run->result->egress_by);
    run->result->egress_by = NULL;
    return false;
}

static void call_provider(struct run *run, uint64_t deadline)
{
    struct provider_instance *provider = run->spec->provider;
    /* Where a stage may wait for somebody the deadline moves, and only the host knows where to. */
    bool moves = run->request->ring != NULL && ring_waits(run->request->ring);
    struct pawl_run view = make_view(run, moves ? 0 : deadline);
    struct buffer why BUFFER_CLEANUP = {.limit = MAX_WHY_BYTES};
    struct pawl_sink sink = buffer_sink(&why);
    int32_t status = PAWL_OK;
    if (!egress_is_enforced(run))
        return;
    if (provider_enter(provider, is_over, run)) {
        status = provider->descriptor.run(provider->instance, &view, &sink);
        provider_leave(provider);
    }
    judge_provider(run, status, &why);
}

int run_request(pawl_registry *registry, const pawl_request *request, const pawl_spec *spec,
                const pawl_cancel *const cancels[2], pawl_result **result, pawl_error **error)
{
    uint64_t start = clock_now();
    uint64_t deadline = clock_after(start, spec->budget.wall_clock);
    struct calls_setup setup = {
        .request = request,
        .cancels = {cancels[0], cancels[1]},
        .workers = registry_workers(registry),
        .max_calls = spec->budget.max_calls,
        .max_bytes = spec->budget.max_bytes,
        .deadline = deadline,
    };
    struct run run = {
        .request = request,
        .spec = spec,
        .calls = setup.workers != NULL ? calls_new(&setup) : NULL,
        .result = new_result(spec),
        .output = 2, /* the brackets of no logs */
        .output_limit = request->output_limit != 0 ? request->output_limit : PAWL_OUTPUT_DEFAULT,
        .subject = {.limit = 1024},
    };
    int status = run.calls == NULL || run.result == NULL ? PAWL_E_MEMORY : PAWL_OK;
    if (status == PAWL_OK) {
        call_provider(&run, deadline);
        check_output(&run);
        if (!run.ended && calls_end(run.calls) == PAWL_END_FAULT)
            status = PAWL_E_MEMORY;
        int closed = calls_close(run.calls, run.result);
        if (status == PAWL_OK)
            status = closed;
        if (!run.result->ok && run.result->message.data == NULL)
            status = PAWL_E_MEMORY; /* there was none for the failure's text */
    }
    if (status == PAWL_OK) {
        suggestions_add(run.result, request, run.subject.data != NULL ? run.subject.data : "",
                        run.subject.size);
        run.result->total_us = (clock_now() - start) / NS_PER_US;
        uint64_t other = run.result->calls_us + run.result->waiting_us + fact_setup_us(run.result);
        run.result->program_us = run.result->total_us > other ? run.result->total_us - other : 0;
        *result = run.result;
        run.result = NULL;
    }
    calls_free(run.calls);
    pawl_result_free(run.result);
    buffer_clear(&run.subject);
    return status == PAWL_OK ? PAWL_OK : error_memory(error);
}
