#include "relay.h"

#include <errno.h>
#include <pawl/wire.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "bounds.h"
#include "program_frame.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A child that closes a channel is about to exit; one that does not within this time breaks the
 * protocol. */
#define CLOSING_PATIENCE (200 * UINT64_C(1000000))

/* What a command gets for stopping by itself. An engine has nothing to put in order. */
#define COMMAND_GRACE 200

/* While the child does not take its answers, the host's descriptor may be readable for a settlement
 * that cannot be delivered, and so cannot be waited on: how often to look whether the run is over.
 */
#define BLOCKED_PAUSE 20

/* How much of what a child left behind in its pipes is read once it is over. A pipe holds less,
 * unless something goes on writing. */
#define DRAIN_MOST (4u << 20)

struct relayed_call {
    uint64_t child; /* its id on the wire */
    uint64_t host;  /* its id in the host */
};

struct relay {
    struct worker *worker;
    const struct pawl_run *run;
    struct text *why;
    int32_t status;     /* what relay_run returns */
    bool over;          /* the host has been told, or knows, how the run ended */
    bool draining;      /* the child has ended: nothing is answered any more */
    uint64_t closing;   /* when a channel that was closed becomes an offence; 0: none was */
    const char *closed; /* which */
    struct bounds bounds;
    struct relayed_call *calls; /* all of the run, by the child's id */
    size_t count, capacity;
    size_t *in_flight; /* indexes into `calls` */
    size_t flying, flying_capacity;
};

/* --- Ends ------------------------------------------------------------------------------------ */

/* The provider itself cannot go on. */
static void give_up(struct relay *relay, int32_t status, const char *why)
{
    if (relay->over)
        return;
    relay->over = true;
    relay->status = status;
    text_string(relay->why, why);
}

/* What a service of the host returned: true if the run goes on. */
static bool goes_on(struct relay *relay, int32_t status)
{
    if (status == PAWL_OK)
        return true;
    if (status == PAWL_E_ENDED)
        relay->over = true;
    else
        give_up(relay, status,
                status == PAWL_E_MEMORY ? "no memory" : "the host refused a service");
    return false;
}

static void end_as(struct relay *relay, const char *kind, struct text *message)
{
    const char *text = text_get(message);
    const struct pawl_failure failure = {
        .header = PAWL_HEADER(FAILURE, failure),
        .kind = kind,
        .message = {.data = text, .size = text == NULL ? 0 : (uint32_t)message->size},
    };
    if (relay->over)
        return;
    relay->over = true;
    relay->run->fail(relay->run->context, &failure);
}

static void offend(struct relay *relay, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The child broke the protocol. */
static void offend(struct relay *relay, const char *format, ...)
{
    struct text message TEXT_CLEANUP = {0};
    char how[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(how, sizeof(how), format, arguments);
    va_end(arguments);
    text_format(&message, "the process that ran the program broke the protocol: %s", how);
    end_as(relay, "protocol", &message);
}

/* The child ended without saying how the program did. */
static void end_without_result(struct relay *relay, const struct child_end *end)
{
    struct text message TEXT_CLEANUP = {0}, fact TEXT_CLEANUP = {0}, how TEXT_CLEANUP = {0},
                        tail TEXT_CLEANUP = {0};
    if (relay->over)
        return;
    worker_print_end(end, &how);
    tail_print(&relay->worker->tail, &tail);
    text_string(&fact, "{\"exit\":");
    text_json_string(&fact, how.data, how.size);
    text_format(&fact, ",\"signaled\":%s,\"stderr\":", end->signaled ? "true" : "false");
    text_json_string(&fact, tail.data, tail.size);
    text_append(&fact, "}", 1);
    if (!fact.failed)
        relay->run->fact(relay->run->context, "worker", fact.data, fact.size);
    if (bounds_ran_out_of_memory(&relay->bounds)) {
        text_string(&message, "the program needed more memory than its budget allows");
        end_as(relay, "budget_memory", &message);
        return;
    }
    text_string(&message, "the process that ran the program ended without a result: ");
    text_append(&message, how.data, how.size);
    end_as(relay, "worker_exit", &message);
}

/* What json_members found wrong. */
static const char *explained(struct text *problem)
{
    const char *text = text_get(problem);
    return text == NULL ? "something is malformed" : text;
}

/* --- Calls channel --------------------------------------------------------------------------- */

static bool grow(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return true;
    size_t larger = *capacity == 0 ? 16 : *capacity * 2;
    void *grown = reallocarray(*array, larger, size);
    if (grown == NULL)
        return false;
    *array = grown;
    *capacity = larger;
    return true;
}

static void handle_call(struct relay *relay, struct json frame)
{
    struct json_member m[] = {
        {.name = "id", .type = JSON_UNSIGNED, .required = true},
        {.name = "function", .type = JSON_UNSIGNED, .required = true},
        {.name = "arguments", .type = JSON_ARRAY, .required = true},
    };
    struct text problem TEXT_CLEANUP = {0};
    uint64_t id = 0, function = 0;
    if (!json_members(frame, m, LENGTH(m), &problem)) {
        offend(relay, "in a call, %s", explained(&problem));
        return;
    }
    json_unsigned(m[0].value, &id);
    json_unsigned(m[1].value, &function);
    if (id <= (relay->count == 0 ? 0 : relay->calls[relay->count - 1].child)) {
        offend(relay, "the id of a call is not greater than the one before");
        return;
    }
    if (!program_has_function(relay->run, function)) {
        offend(relay, "a call of a function that does not exist");
        return;
    }
    if (!grow((void **)&relay->calls, &relay->capacity, relay->count, sizeof(*relay->calls)) ||
        !grow((void **)&relay->in_flight, &relay->flying_capacity, relay->flying,
              sizeof(*relay->in_flight))) {
        give_up(relay, PAWL_E_MEMORY, "no memory");
        return;
    }
    struct relayed_call *call = &relay->calls[relay->count];
    int32_t status = relay->run->call(relay->run->context, (uint32_t)function, m[2].value.text,
                                      m[2].value.size, &call->host);
    if (status == PAWL_E_ARGUMENT) {
        offend(relay, "the host does not accept the arguments of a call");
        return;
    }
    if (!goes_on(relay, status))
        return;
    call->child = id;
    relay->in_flight[relay->flying++] = relay->count++;
}

/* The one member of a frame that is text, decoded. False: an offence. */
static bool read_text(struct relay *relay, struct json frame, const char *name, struct text *into)
{
    struct json_member member = {.name = name, .type = JSON_STRING, .required = true};
    struct text problem TEXT_CLEANUP = {0};
    if (!json_members(frame, &member, 1, &problem)) {
        offend(relay, "%s", explained(&problem));
        return false;
    }
    json_decode(member.value, into);
    if (text_get(into) != NULL)
        return true;
    give_up(relay, PAWL_E_MEMORY, "no memory");
    return false;
}

static void handle_log(struct relay *relay, struct json frame)
{
    struct text entry TEXT_CLEANUP = {0};
    if (read_text(relay, frame, "text", &entry))
        goes_on(relay, relay->run->log(relay->run->context, entry.data, entry.size));
}

/* Queues an answer: its value, or else a message. */
static void answer(struct relay *relay, const struct text *value, const struct text *message)
{
    if (relay->draining)
        return;
    struct text *text = frame_begin(&relay->worker->answers, PAWL_WIRE_ANSWER);
    if (value != NULL) {
        text_string(text, "{\"value\":");
        text_append(text, value->data, value->size);
    } else {
        text_string(text, "{\"message\":");
        text_json_string(text, message->data, message->size);
    }
    text_append(text, "}", 1);
    int32_t status = frame_end(&relay->worker->answers, PAWL_WIRE_FRAME_MOST);
    if (status != PAWL_OK)
        give_up(relay, status, "an answer cannot be sent");
}

static void handle_discover(struct relay *relay, struct json frame)
{
    struct text query TEXT_CLEANUP = {0}, found TEXT_CLEANUP = {0};
    if ((relay->run->flags & PAWL_RUN_DISCOVER) == 0) {
        offend(relay, "it asked to discover, which this program cannot");
        return;
    }
    if (!read_text(relay, frame, "query", &query) || relay->draining)
        return;
    struct pawl_sink sink = text_sink(&found);
    int32_t status = relay->run->discover(relay->run->context, query.data, query.size, &sink);
    if (status == PAWL_E_ENDED)
        relay->over = true;
    else if (status == PAWL_OK && !found.failed && json_check(found.data, found.size, NULL))
        answer(relay, &found, NULL);
    else
        answer(relay, NULL, &found);
}

static void answer_failed(struct relay *relay, int32_t status)
{
    const struct text message = {.data = (char *)"the host has none", .size = 17};
    if (status == PAWL_E_ENDED)
        relay->over = true;
    else
        answer(relay, NULL, &message);
}

static void handle_clock(struct relay *relay, struct json frame)
{
    struct text value TEXT_CLEANUP = {0};
    int64_t now = 0;
    (void)frame;
    int32_t status = relay->run->clock(relay->run->context, &now);
    if (status != PAWL_OK || now < 0) {
        answer_failed(relay, status);
        return;
    }
    text_format(&value, "%lld", (long long)now);
    answer(relay, &value, NULL);
}

static void handle_random(struct relay *relay, struct json frame)
{
    struct json_member size = {.name = "size", .type = JSON_UNSIGNED, .required = true};
    struct text value TEXT_CLEANUP = {0};
    unsigned char bytes[PAWL_WIRE_RANDOM_MOST];
    uint64_t count = 0;
    if (!json_members(frame, &size, 1, NULL) || !json_unsigned(size.value, &count) || count == 0 ||
        count > sizeof(bytes)) {
        offend(relay, "it asked for no or too many random bytes");
        return;
    }
    int32_t status = relay->run->random(relay->run->context, bytes, (size_t)count);
    if (status != PAWL_OK) {
        answer_failed(relay, status);
        return;
    }
    text_append(&value, "\"", 1);
    for (size_t i = 0; i < count; i++)
        text_format(&value, "%02x", bytes[i]);
    text_append(&value, "\"", 1);
    answer(relay, &value, NULL);
}

/* --- Report channel -------------------------------------------------------------------------- */

/* What a child may say about itself; the rest is known better here. */
static bool is_believed(const struct relay *relay, struct json name)
{
    static const char *const of_engines[] = {"files", "network", "syscalls", "memory"};
    if (json_equals(name, "peak_memory"))
        return true;
    const struct recipe *recipe = relay->worker->recipe;
    if (recipe->is_command || recipe->state_facts != NULL ||
        (relay->bounds.memory && json_equals(name, "memory")))
        return false;
    for (size_t i = 0; i < LENGTH(of_engines); i++)
        if (json_equals(name, of_engines[i]))
            return true;
    return false;
}

static void handle_fact(struct relay *relay, struct json frame)
{
    struct json_member m[] = {
        {.name = "name", .type = JSON_STRING, .required = true},
        {.name = "value", .required = true},
    };
    struct text problem TEXT_CLEANUP = {0}, name TEXT_CLEANUP = {0};
    if (!json_members(frame, m, LENGTH(m), &problem)) {
        offend(relay, "in a fact, %s", explained(&problem));
        return;
    }
    if (!is_believed(relay, m[0].value))
        return;
    json_decode(m[0].value, &name);
    if (text_get(&name) != NULL)
        relay->run->fact(relay->run->context, name.data, m[1].value.text, m[1].value.size);
}

static void drain_calls(struct relay *relay);

/* Before an end is passed on: what was said before it on the other channel counts, and nothing may
 * stand behind it. */
static bool may_end(struct relay *relay)
{
    int waiting = 0;
    drain_calls(relay);
    if (relay->over)
        return false;
    if (frame_is_partial(&relay->worker->report) ||
        (ioctl(relay->worker->child.report, FIONREAD, &waiting) == 0 && waiting > 0)) {
        offend(relay, "something stands behind the end");
        return false;
    }
    return true;
}

static void handle_value(struct relay *relay, struct json frame)
{
    struct json_member value = {.name = "value"};
    struct text problem TEXT_CLEANUP = {0};
    if (!may_end(relay))
        return;
    if (!json_members(frame, &value, 1, &problem)) {
        offend(relay, "in the value, %s", explained(&problem));
        return;
    }
    relay->run->value(relay->run->context, value.value.text, value.value.size);
    relay->over = true;
}

/* The kinds of failure that a child can know of. */
static const char *known_kind(struct json kind)
{
    static const char *const kinds[] = {"syntax",     "runtime",       "pending",
                                        "bad_result", "budget_memory", "output_limit"};
    for (size_t i = 0; i < LENGTH(kinds); i++)
        if (json_equals(kind, kinds[i]))
            return kinds[i];
    return NULL;
}

/* A line or column: absent or out of range is not known. */
static uint32_t position(struct json value)
{
    uint64_t number = 0;
    if (value.text == NULL || !json_unsigned(value, &number) || number > UINT32_MAX)
        return 0;
    return (uint32_t)number;
}

/* The host's id of a call; false: there was none of that id. */
static bool find_call(const struct relay *relay, uint64_t child, uint64_t *host)
{
    size_t low = 0, high = relay->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (relay->calls[middle].child < child)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == relay->count || relay->calls[low].child != child)
        return false;
    *host = relay->calls[low].host;
    return true;
}

/* Decodes suggestions into one text, each ended by NUL, and points at them. */
static bool read_suggestions(struct json array, struct text *text,
                             const char *suggestions[PAWL_WIRE_SUGGESTIONS + 1])
{
    struct json_iterator iterator = json_iterate(array);
    struct json element;
    size_t starts[PAWL_WIRE_SUGGESTIONS], count = 0;
    while (json_next(&iterator, NULL, &element)) {
        if (count == PAWL_WIRE_SUGGESTIONS || json_type(element) != JSON_STRING)
            return false;
        starts[count++] = text->size;
        json_decode(element, text);
        text_append(text, "", 1);
    }
    for (size_t i = 0; i < count && !text->failed; i++)
        suggestions[i] = text->data + starts[i];
    return true;
}

/* Whether a message reads like the kernel's refusal: a hint, no proof. */
static bool reads_like_refusal(const char *message)
{
    static const char *const refusals[] = {"Permission denied", "Operation not permitted",
                                           "Read-only file system"};
    for (size_t i = 0; i < LENGTH(refusals); i++)
        if (strcasestr(message, refusals[i]) != NULL)
            return true;
    return false;
}

static void handle_failure(struct relay *relay, struct json frame)
{
    struct json_member m[] = {
        {.name = "kind", .type = JSON_STRING, .required = true},
        {.name = "message", .type = JSON_STRING, .required = true},
        {.name = "line", .type = JSON_UNSIGNED},
        {.name = "column", .type = JSON_UNSIGNED},
        {.name = "subject", .type = JSON_STRING},
        {.name = "call", .type = JSON_UNSIGNED},
        {.name = "suggestions", .type = JSON_ARRAY},
    };
    struct text problem TEXT_CLEANUP = {0}, message TEXT_CLEANUP = {0}, subject TEXT_CLEANUP = {0},
                        advice TEXT_CLEANUP = {0};
    const char *suggestions[PAWL_WIRE_SUGGESTIONS + 1] = {NULL};
    uint64_t child = 0, host = 0;
    if (!may_end(relay))
        return;
    if (!json_members(frame, m, LENGTH(m), &problem)) {
        offend(relay, "in the failure, %s", explained(&problem));
        return;
    }
    const char *kind = known_kind(m[0].value);
    if (kind == NULL) {
        offend(relay, "an unknown kind of failure");
        return;
    }
    if (m[5].value.text != NULL &&
        (!json_unsigned(m[5].value, &child) || !find_call(relay, child, &host))) {
        offend(relay, "the failure names a call that was never made");
        return;
    }
    if (m[6].value.text != NULL && !read_suggestions(m[6].value, &advice, suggestions)) {
        offend(relay, "the suggestions are malformed");
        return;
    }
    json_decode(m[1].value, &message);
    if (m[4].value.text != NULL)
        json_decode(m[4].value, &subject);
    if (text_get(&message) == NULL || text_get(&subject) == NULL || advice.failed) {
        give_up(relay, PAWL_E_MEMORY, "no memory");
        return;
    }
    const struct pawl_failure failure = {
        .header = PAWL_HEADER(FAILURE, failure),
        .kind = kind,
        .message = {.data = message.data, .size = (uint32_t)message.size},
        .subject = {.data = subject.data, .size = (uint32_t)subject.size},
        .call = host,
        .line = position(m[2].value),
        .column = position(m[3].value),
        .suggestions = suggestions[0] == NULL ? NULL : suggestions,
    };
    if (reads_like_refusal(message.data))
        relay->run->fact(relay->run->context, "denied", "true", 4);
    relay->run->fail(relay->run->context, &failure);
    relay->over = true;
}

static void handle_stopped(struct relay *relay, struct json frame)
{
    (void)frame;
    if (!may_end(relay))
        return;
    if (relay->run->cancelled(relay->run->context) == PAWL_END_NONE)
        offend(relay, "it stopped a program that was not over");
    relay->over = true;
}

static void handle_error(struct relay *relay, struct json frame)
{
    if (!may_end(relay))
        return;
    relay->status = worker_read_error(relay->worker, frame, relay->why);
    relay->over = true;
}

/* --- Frames ---------------------------------------------------------------------------------- */

struct handler {
    char type;
    void (*handle)(struct relay *relay, struct json frame);
};

static const struct handler of_calls[] = {
    {PAWL_WIRE_CALL, handle_call},         {PAWL_WIRE_LOG, handle_log},
    {PAWL_WIRE_DISCOVER, handle_discover}, {PAWL_WIRE_CLOCK, handle_clock},
    {PAWL_WIRE_RANDOM, handle_random},     {0, NULL},
};

static const struct handler of_report[] = {
    {PAWL_WIRE_FACT, handle_fact},       {PAWL_WIRE_VALUE, handle_value},
    {PAWL_WIRE_FAILURE, handle_failure}, {PAWL_WIRE_STOPPED, handle_stopped},
    {PAWL_WIRE_ERROR, handle_error},     {0, NULL},
};

/* Handles the next frame that is complete. False: there is none, or the run is over. */
static bool handle_frame(struct relay *relay, struct frame_reader *reader,
                         const struct handler *handlers)
{
    struct frame frame;
    struct json value;
    int32_t taken = frame_take(reader, &frame);
    if (taken < 0)
        offend(relay, "a frame larger than %zu bytes", reader->limit);
    if (taken <= 0)
        return false;
    for (; handlers->handle != NULL; handlers++) {
        if (handlers->type != frame.type)
            continue;
        if (!json_check(frame.text, frame.size, &value) || json_type(value) != JSON_OBJECT)
            offend(relay, "a frame that is no JSON object");
        else
            handlers->handle(relay, value);
        return !relay->over;
    }
    offend(relay, "a frame of type 0x%02x, which does not belong there",
           (unsigned)(unsigned char)frame.type);
    return false;
}

/* Whether more of what the program does may be taken in. */
static bool takes_calls(const struct relay *relay)
{
    return relay->draining ||
           (!frame_is_queued(&relay->worker->answers) && relay->flying < PAWL_WIRE_IN_FLIGHT);
}

static void flush_answers(struct relay *relay)
{
    struct worker *worker = relay->worker;
    if (frame_is_queued(&worker->answers) && worker->child.answers >= 0)
        frame_flush(&worker->answers, worker->child.answers); /* an error shows in poll, too */
}

static void handle_calls(struct relay *relay)
{
    while (!relay->over && takes_calls(relay) &&
           handle_frame(relay, &relay->worker->calls, of_calls))
        flush_answers(relay);
}

static void handle_report(struct relay *relay)
{
    while (!relay->over && handle_frame(relay, &relay->worker->report, of_report))
        ;
}

/* The child closed one of its channels, or is about to exit. */
static void note_closed(struct relay *relay, int *fd, const char *name)
{
    child_close(fd);
    if (relay->closing == 0) {
        relay->closing = worker_now() + CLOSING_PATIENCE;
        relay->closed = name;
    }
}

/* Reads once; how many bytes. 0: there is nothing more now. */
static size_t read_channel(struct relay *relay, struct frame_reader *reader, int *fd,
                           const char *name)
{
    int32_t got = *fd < 0 ? PAWL_E_TIMEOUT : frame_read(reader, *fd);
    if (got > 0)
        return (size_t)got;
    if (got == PAWL_E_MEMORY)
        give_up(relay, PAWL_E_MEMORY, "no memory");
    else if (got != PAWL_E_TIMEOUT)
        note_closed(relay, fd, name);
    return 0;
}

static size_t read_calls(struct relay *relay)
{
    return read_channel(relay, &relay->worker->calls, &relay->worker->child.calls, "calls");
}

static size_t read_report(struct relay *relay)
{
    return read_channel(relay, &relay->worker->report, &relay->worker->child.report, "report");
}

static void drain_calls(struct relay *relay)
{
    relay->draining = true;
    handle_calls(relay);
    for (size_t drained = 0, got; !relay->over && drained < DRAIN_MOST; drained += got) {
        got = read_calls(relay);
        if (got == 0)
            break;
        handle_calls(relay);
    }
}

/* --- To the child ---------------------------------------------------------------------------- */

/* The child's id of a call that has settled, which is then no longer in flight; 0: unknown. */
static uint64_t land(struct relay *relay, uint64_t host)
{
    for (size_t i = 0; i < relay->flying; i++) {
        const struct relayed_call *call = &relay->calls[relay->in_flight[i]];
        if (call->host != host)
            continue;
        memmove(&relay->in_flight[i], &relay->in_flight[i + 1],
                (relay->flying - i - 1) * sizeof(*relay->in_flight));
        relay->flying--;
        return call->child;
    }
    return 0;
}

static void send_settlement(struct relay *relay, const struct pawl_settlement *settlement)
{
    static const char *const words[] = {"ok", "error", "denied", "failed"};
    uint64_t id = land(relay, settlement->id);
    if (id == 0)
        return;
    uint32_t status = settlement->status < LENGTH(words) ? settlement->status : 3;
    struct text *text = frame_begin(&relay->worker->answers, PAWL_WIRE_SETTLED);
    text_format(text, "{\"id\":%llu,\"status\":\"%s\",", (unsigned long long)id, words[status]);
    if (status == PAWL_SETTLED_OK) {
        text_string(text, "\"value\":");
        text_append(text, settlement->text.data, settlement->text.size);
    } else {
        const char *code = settlement->code == NULL ? "" : settlement->code;
        text_string(text, "\"message\":");
        text_json_string(text, settlement->text.data, settlement->text.size);
        text_string(text, ",\"code\":");
        text_json_string(text, code, strlen(code));
    }
    text_append(text, "}", 1);
    int32_t sent = frame_end(&relay->worker->answers, PAWL_WIRE_FRAME_MOST);
    if (sent != PAWL_OK)
        give_up(relay, sent, "a settlement cannot be sent");
}

/* Takes settled calls as long as the child takes what is sent. */
static void deliver(struct relay *relay)
{
    flush_answers(relay);
    while (!relay->over && relay->flying > 0 && !frame_is_queued(&relay->worker->answers)) {
        struct pawl_settlement settlement = {.header = PAWL_HEADER(SETTLEMENT, settlement)};
        int32_t status = relay->run->next(relay->run->context, 0, &settlement);
        if (status == PAWL_E_TIMEOUT || status == PAWL_E_STATE || !goes_on(relay, status))
            return;
        send_settlement(relay, &settlement);
        flush_answers(relay);
    }
}

static void send_program(struct relay *relay)
{
    struct worker *worker = relay->worker;
    if (worker->child.launch < 0)
        return;
    int32_t status = frame_flush(&worker->launch, worker->child.launch);
    if (status == PAWL_OK)
        child_close(&worker->child.launch);
    else if (status != PAWL_E_TIMEOUT)
        note_closed(relay, &worker->child.launch, "launch");
}

/* --- The loop -------------------------------------------------------------------------------- */

enum { REPORT, CALLS, STDERR, ANSWERS, LAUNCH, EXIT, SETTLED, WATCHED };

static void watch(struct relay *relay, int settled_fd, struct pollfd fds[WATCHED])
{
    const struct worker *worker = relay->worker;
    const struct child *child = &worker->child;
    bool blocked = frame_is_queued(&worker->answers);
    fds[REPORT] = (struct pollfd){child->report, POLLIN, 0};
    fds[CALLS] = (struct pollfd){takes_calls(relay) ? child->calls : -1, POLLIN, 0};
    fds[STDERR] = (struct pollfd){child->stderr_tail, POLLIN, 0};
    fds[ANSWERS] = (struct pollfd){child->answers, blocked ? POLLOUT : 0, 0};
    fds[LAUNCH] = (struct pollfd){child->launch, POLLOUT, 0};
    fds[EXIT] = (struct pollfd){child->pidfd, POLLIN, 0};
    fds[SETTLED] = (struct pollfd){blocked ? -1 : settled_fd, POLLIN, 0};
}

static int patience(const struct relay *relay)
{
    int timeout = -1;
    uint64_t until = relay->run->deadline;
    if (relay->closing != 0 && (until == 0 || relay->closing < until))
        until = relay->closing;
    if (until != 0)
        timeout = worker_timeout(until);
    if (frame_is_queued(&relay->worker->answers) && (timeout < 0 || timeout > BLOCKED_PAUSE))
        timeout = BLOCKED_PAUSE;
    return timeout;
}

static void read_stderr(struct relay *relay)
{
    struct worker *worker = relay->worker;
    int32_t got = tail_read(&worker->tail, worker->child.stderr_tail);
    if (got <= 0 && got != PAWL_E_TIMEOUT)
        child_close(&worker->child.stderr_tail);
}

/* The child's process is gone. Its last words may still be in the pipes, even when a process that
 * it started holds them open. */
static void bury(struct relay *relay)
{
    struct child_end end;
    if (!child_has_ended(&relay->worker->child, &end))
        return;
    size_t before = relay->worker->tail.total;
    while (relay->worker->child.stderr_tail >= 0 &&
           relay->worker->tail.total - before < DRAIN_MOST &&
           tail_read(&relay->worker->tail, relay->worker->child.stderr_tail) > 0)
        ;
    for (size_t drained = 0, got; !relay->over && drained < DRAIN_MOST; drained += got) {
        got = read_report(relay);
        if (got == 0)
            break;
        handle_report(relay);
    }
    drain_calls(relay);
    end_without_result(relay, &end);
}

static void step(struct relay *relay, int settled_fd)
{
    struct pollfd fds[WATCHED];
    watch(relay, settled_fd, fds);
    if (poll(fds, WATCHED, patience(relay)) < 0 && errno != EINTR) {
        give_up(relay, PAWL_E_SYSTEM, "poll failed");
        return;
    }
    if (relay->run->cancelled(relay->run->context) != PAWL_END_NONE) {
        relay->over = true;
        return;
    }
    if (fds[STDERR].revents != 0)
        read_stderr(relay);
    if (fds[LAUNCH].revents != 0)
        send_program(relay);
    if (fds[CALLS].revents != 0)
        read_calls(relay);
    handle_calls(relay);
    if (fds[REPORT].revents != 0 && !relay->over && read_report(relay) > 0)
        handle_report(relay);
    if (fds[ANSWERS].revents & (POLLERR | POLLNVAL))
        note_closed(relay, &relay->worker->child.answers, "answers");
    deliver(relay);
    if (fds[EXIT].revents != 0 && !relay->over)
        bury(relay);
    if (relay->closing != 0 && !relay->over && worker_now() >= relay->closing)
        offend(relay, "it closed its %s channel and went on", relay->closed);
}

/* Tells a command that its run is over, and lets it stop by itself. */
static void part_from_command(struct relay *relay)
{
    static const char *const words[] = {
        "", "deadline", "abort", "calls", "bytes", "output", "memory", "fault", "suspend",
    };
    struct worker *worker = relay->worker;
    uint32_t reason = relay->run->cancelled(relay->run->context);
    if (reason != PAWL_END_NONE) {
        struct text *text = frame_begin(&worker->answers, PAWL_WIRE_ENDED);
        text_format(text, "{\"reason\":\"%s\"}",
                    words[reason < LENGTH(words) ? reason : PAWL_END_FAULT]);
        if (frame_end(&worker->answers, PAWL_WIRE_FRAME_MOST) == PAWL_OK)
            flush_answers(relay);
        child_terminate(&worker->child);
    }
    child_close(&worker->child.answers);
    struct pollfd gone = {.fd = worker->child.pidfd, .events = POLLIN};
    poll(&gone, 1, COMMAND_GRACE);
}

static void state_setup(const struct pawl_run *run, uint64_t began)
{
    char text[32];
    int size = snprintf(text, sizeof(text), "%.3f", (double)(worker_now() - began) / 1000000.0);
    run->fact(run->context, "setup_ms", text, (size_t)size);
}

int32_t relay_run(struct worker *worker, const struct pawl_run *run, uint64_t began,
                  struct text *why)
{
    struct relay relay = {.worker = worker, .run = run, .why = why, .status = PAWL_OK};
    int settled_fd = run->settled_fd(run->context);
    if (settled_fd < 0) {
        text_string(why, "the host has no descriptor for settled calls");
        return settled_fd;
    }
    int32_t status = bounds_set(&relay.bounds, worker, run, why);
    if (status == PAWL_OK)
        status = program_frame(&worker->launch, run, worker_now(), worker->recipe->record);
    if (status == PAWL_OK) {
        state_setup(run, began);
        bounds_state_facts(&relay.bounds, run);
        send_program(&relay);
        while (!relay.over)
            step(&relay, settled_fd);
        if (worker->recipe->is_command)
            part_from_command(&relay);
        status = relay.status;
    }
    worker_kill(worker);
    bounds_clear(&relay.bounds, worker);
    free(relay.calls);
    free(relay.in_flight);
    return status;
}
