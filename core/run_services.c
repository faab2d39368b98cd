/* The services of a run: what its provider sees of the host. */
#include "core/run_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "core/json.h"
#include "stages/ring.h"

#define MAX_FACT_BYTES       262144u
#define MAX_DISCOVERED_BYTES (4u << 20)
#define MAX_OWN_SUGGESTIONS  8u

/* Whether the run is, or was before it was suspended. */
static bool is_recorded(const struct run *run)
{
    return run->recorder.write != NULL || run->request->record != NULL;
}

/* Once there is nothing left to be told again, everything happens for real. From then on the record
 * can no longer be resumed as it was, and says so before anything is called. */
static void go_live(struct run *run)
{
    if (!run->parked || run->playback.record != NULL || calls_end(run->calls) != PAWL_END_NONE)
        return;
    run->parked = false;
    recorder_resume(&run->recorder);
    if (!run->recorder.failed)
        calls_go_live(run->calls);
}

/* Whether a question was played, and with which status; if not, it is to be answered for real. */
static bool was_played(struct run *run, enum play play, int32_t *status)
{
    if (play == PLAY_ENDED)
        *status = PAWL_E_ENDED;
    else if (play == PLAY_LIVE)
        go_live(run);
    return play != PLAY_LIVE;
}

static int32_t service_call(void *context, uint32_t function, const char *arguments, size_t size,
                            uint64_t *id)
{
    struct run *run = context;
    if (run->ended)
        return PAWL_E_STATE;
    if (is_recorded(run)) {
        if (calls_end(run->calls) != PAWL_END_NONE)
            return PAWL_E_ENDED;
        if (!calls_accepts(run->calls, function, arguments, size))
            return PAWL_E_ARGUMENT;
        const struct binding *binding = run->request->bindings[function];
        int32_t status = PAWL_OK;
        if (!was_played(run, playback_call(&run->playback, binding, arguments, size), &status))
            recorder_call(&run->recorder, calls_next_id(run->calls), binding, arguments, size);
        else if (status != PAWL_OK)
            return status;
    }
    return calls_begin(run->calls, function, arguments, size, id);
}

static int32_t service_next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    struct run *run = context;
    if (run->ended)
        return PAWL_E_STATE;
    if (!is_recorded(run))
        return calls_next(run->calls, timeout, settlement);
    if (calls_end(run->calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    int32_t status;
    if (was_played(run, playback_next(&run->playback, timeout, settlement, &status), &status))
        return status;
    bool waits = calls_in_flight(run->calls) > 0;
    status = calls_next(run->calls, timeout, settlement);
    if (status == PAWL_OK)
        recorder_settled(&run->recorder, settlement,
                         calls_microseconds(run->calls, settlement->id));
    else if (status == PAWL_E_TIMEOUT && waits)
        recorder_timeout(&run->recorder);
    return status;
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

int run_add_log(struct run *run, const char *text, size_t size)
{
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

static int32_t service_log(void *context, const char *text, size_t size)
{
    struct run *run = context;
    go_live(run);
    int status = run_add_log(run, text, size);
    if (status == PAWL_OK && run->playback.record == NULL)
        recorder_log(&run->recorder, text, size);
    return status;
}

/* Has the host answer discover(query). */
static int32_t discover(const pawl_request *request, const char *query, size_t size,
                        struct buffer *found)
{
    struct pawl_sink sink = buffer_sink(found);
    int status = request->discoverer(query, size, &sink, request->discoverer_data);
    if (status != PAWL_OK)
        return status;
    bool is_array = found->size > 0 && json_is_valid(found->data, found->size, NULL) &&
                    json_first(found->data, found->size) == '[';
    return is_array ? PAWL_OK : PAWL_E_ARGUMENT;
}

static int32_t service_discover(void *context, const char *query, size_t size,
                                const struct pawl_sink *answer)
{
    struct run *run = context;
    if (run->request->discoverer == NULL)
        return PAWL_E_UNSUPPORTED;
    if (calls_end(run->calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    int32_t status;
    if (was_played(run, playback_discover(&run->playback, query, size, answer, &status), &status))
        return status;
    struct buffer found BUFFER_CLEANUP = {.limit = MAX_DISCOVERED_BYTES};
    status = discover(run->request, query, size, &found);
    recorder_discover(&run->recorder, query, size, status, &found);
    if (status == PAWL_OK)
        answer->write(answer->context, found.data, found.size);
    return status;
}

static int32_t service_clock(void *context, int64_t *nanoseconds)
{
    struct run *run = context;
    if (calls_end(run->calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    int32_t status = PAWL_OK;
    if (was_played(run, playback_clock(&run->playback, nanoseconds), &status))
        return status;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    recorder_clock(&run->recorder, *nanoseconds);
    return PAWL_OK;
}

static int32_t service_random(void *context, void *buffer, size_t size)
{
    struct run *run = context;
    if (calls_end(run->calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    int32_t status = PAWL_OK;
    if (was_played(run, playback_random(&run->playback, buffer, size), &status))
        return status;
    for (size_t done = 0; done < size;) {
        ssize_t got = getrandom((char *)buffer + done, size - done, 0);
        if (got < 0 && errno != EINTR)
            return PAWL_E_SYSTEM;
        done += got > 0 ? (size_t)got : 0;
    }
    recorder_random(&run->recorder, buffer, size);
    return PAWL_OK;
}

/* The program's state, while it is being suspended. */
static int32_t service_suspend(void *context, const void *image, size_t size)
{
    struct run *run = context;
    if (calls_end(run->calls) != PAWL_END_SUSPEND || run->recorder.write == NULL)
        return PAWL_E_STATE;
    buffer_append(&run->image, image, size);
    if (run->image.failed == PAWL_OK)
        return PAWL_OK;
    int32_t status = run->image.failed; /* half of it is none: the record is replayed then */
    buffer_clear(&run->image);
    run->image.failed = status;
    return status;
}

static int32_t service_fact(void *context, const char *name, const char *json, size_t size)
{
    struct run *run = context;
    enum fact fact = fact_find(name);
    if (fact == FACT_COUNT)
        return PAWL_E_UNSUPPORTED;
    if (size > MAX_FACT_BYTES || !json_is_valid(json, size, NULL) ||
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
    return calls_end(run->calls) != PAWL_END_NONE ? PAWL_E_ENDED : PAWL_OK;
}

/* The same for an end that is the program's own, which has to be that of the record. */
static int claim_own_end(struct run *run)
{
    int status = claim_end(run);
    return status == PAWL_OK && !playback_finish(&run->playback) ? PAWL_E_ENDED : status;
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
    int status = claim_own_end(run);
    if (status != PAWL_OK)
        return status;
    struct buffer why BUFFER_CLEANUP = {0};
    if (json != NULL && !json_is_valid(json, size, &why)) {
        run_set_failure_format(run, "protocol",
                               "the provider '%s' gave a value that is not JSON: %s",
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

/* Whether a failure of that kind follows from what the program does, and not from where it runs. */
static bool is_its_own(const char *kind)
{
    static const char *const others[] = {"budget_memory", "worker_exit", "protocol",
                                         "sandbox_unavailable"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcmp(kind, others[i]) == 0)
            return false;
    return true;
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
        run_set_failure_format(run, "protocol",
                               "the provider '%s' stated a failure of the kind '%.64s'",
                               run->spec->provider->id, failure.kind != NULL ? failure.kind : "");
        return finish(run);
    }
    status = is_its_own(kind) ? claim_own_end(run) : PAWL_OK;
    if (status == PAWL_OK)
        status = finish(run);
    if (status != PAWL_OK)
        return status;
    uint32_t settled = calls_status(run->calls, failure.call);
    if (settled == PAWL_SETTLED_DENIED)
        kind = "stage_denied";
    else if (settled == PAWL_SETTLED_FAILED)
        kind = "stage_failed";
    if (failure.message.size == 0 && strcmp(kind, "budget_memory") == 0)
        run_set_ended(run, PAWL_END_MEMORY);
    else
        run_set_failure(run, kind, failure.message.data != NULL ? failure.message.data : "",
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

/* --- All of them --------------------------------------------------------------------------- */

static int32_t no_discover(void *context, const char *query, size_t size,
                           const struct pawl_sink *answer)
{
    (void)context, (void)query, (void)size, (void)answer;
    return PAWL_E_UNSUPPORTED;
}

struct pawl_run run_view(struct run *run, uint64_t deadline)
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
        .flags = (discover ? PAWL_RUN_DISCOVER : 0) | (is_recorded(run) ? PAWL_RUN_RECORD : 0),
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
        .suspend = service_suspend,
    };
    view.header = (struct pawl_header)PAWL_HEADER(RUN, view);
    return view;
}
