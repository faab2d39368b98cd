#include "run.h"

#include <errno.h>
#include <pawl/wire.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "limits.h"
#include "program.h"
#include "providers/wire/base64.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Set in an id of a call that never left the child, because it was too large to cross. */
#define LOCAL_CALL (UINT64_C(1) << 63)

/* Milliseconds that the child stays after it has said how the program ended. */
#define PARTING_PATIENCE 1000

/* The parent's SIGTERM: the run is over, and why stands on the answers channel. */
static volatile sig_atomic_t terminated;

/* What settled_fd returns: readable while the answers channel or the event is. */
static int settled_poll = -1, settled_event = -1;

/* A settled call that arrived while something else was waited for: the text of its frame. */
struct settled {
    struct settled *next;
    size_t size;
    char text[];
};

struct run {
    struct pawl_run services; /* what the engine sees */
    struct channel *channel;
    uint32_t functions;
    bool ask;
    bool mixed;    /* ids are not the host's any more: of a call that never left the child */
    bool finished; /* value or failure was said */
    bool fd_given; /* the engine polls settled_fd */
    volatile uint32_t ended;
    uint64_t last_id;
    uint64_t in_flight;
    struct settled *first, **last;
    struct settled *current; /* the settlement that the engine holds points into it */
    struct text message, code;
    struct text answer; /* of the question that is being asked */
    bool answered;
};

static const char *const end_words[] = {
    [PAWL_END_NONE] = "",         [PAWL_END_DEADLINE] = "deadline", [PAWL_END_ABORT] = "abort",
    [PAWL_END_CALLS] = "calls",   [PAWL_END_BYTES] = "bytes",       [PAWL_END_OUTPUT] = "output",
    [PAWL_END_MEMORY] = "memory", [PAWL_END_FAULT] = "fault",       [PAWL_END_SUSPEND] = "suspend",
};

static void on_terminate(int signal)
{
    (void)signal;
    terminated = 1;
}

int32_t run_prepare(struct text *why)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction terminate = {.sa_handler = on_terminate};
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    struct epoll_event watch = {.events = EPOLLIN};
    settled_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    settled_poll = epoll_create1(EPOLL_CLOEXEC);
    if (settled_event < 0 || settled_poll < 0 ||
        epoll_ctl(settled_poll, EPOLL_CTL_ADD, settled_event, &watch) != 0 ||
        epoll_ctl(settled_poll, EPOLL_CTL_ADD, PAWL_WIRE_FD_ANSWERS, &watch) != 0) {
        text_format(why, "epoll: %s", strerror(errno));
        return PAWL_E_UNAVAILABLE;
    }
    return PAWL_OK;
}

static uint64_t monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* [any thread; in a signal handler] */
static uint32_t run_cancelled(void *context)
{
    const struct run *run = context;
    if (run->ended != PAWL_END_NONE)
        return run->ended;
    if (terminated)
        return PAWL_END_ABORT;
    if (run->services.deadline != 0 && monotonic() >= run->services.deadline)
        return PAWL_END_DEADLINE;
    return PAWL_END_NONE;
}

/* --- What arrives ---------------------------------------------------------------------------- */

static int32_t enqueue(struct run *run, const char *text, size_t size)
{
    struct settled *settled = malloc(sizeof(*settled) + size);
    if (settled == NULL)
        return PAWL_E_MEMORY;
    settled->next = NULL;
    settled->size = size;
    memcpy(settled->text, text, size);
    *run->last = settled;
    run->last = &settled->next;
    return PAWL_OK;
}

static void take_ended(struct run *run, struct json frame)
{
    struct json_member reason = {.name = "reason", .type = JSON_STRING, .required = true};
    run->ended = PAWL_END_FAULT;
    if (!json_members(frame, &reason, 1, NULL))
        return;
    for (uint32_t i = PAWL_END_DEADLINE; i < LENGTH(end_words); i++)
        if (json_equals(reason.value, end_words[i]))
            run->ended = i;
}

/* Handles a frame of the answers channel. The parent is trusted, but a frame that is no JSON means
 * that the two do not speak the same language. */
static int32_t take_frame(struct run *run, const struct frame *frame)
{
    struct json value;
    if (!json_check(frame->text, frame->size, &value) || json_type(value) != JSON_OBJECT)
        channel_lost();
    switch (frame->type) {
    case PAWL_WIRE_SETTLED:
        return enqueue(run, frame->text, frame->size);
    case PAWL_WIRE_ANSWER:
        text_clear(&run->answer);
        text_append(&run->answer, value.text, value.size);
        run->answered = true;
        return run->answer.failed;
    case PAWL_WIRE_ENDED:
        take_ended(run, value);
        return PAWL_OK;
    default:
        channel_lost();
    }
}

/* Reads once, waiting for something to arrive, and handles all frames that are complete. */
static int32_t receive(struct run *run)
{
    struct frame_reader *answers = &run->channel->answers;
    int32_t status = frame_read(answers, PAWL_WIRE_FD_ANSWERS);
    if (status == PAWL_E_MEMORY)
        return status;
    if (status <= 0)
        channel_lost();
    struct frame frame;
    while ((status = frame_take(answers, &frame)) == 1) {
        int32_t taken = take_frame(run, &frame);
        if (taken != PAWL_OK)
            return taken;
    }
    return status;
}

/* Waits until something arrives on the answers channel or, if `sending`, the calls channel takes
 * more; then receives. PAWL_E_TIMEOUT at the time `at` (0: never), PAWL_E_ENDED when the run is
 * over; PAWL_OK also when a signal came. */
static int32_t wait_and_receive(struct run *run, bool sending, uint64_t at)
{
    struct pollfd fds[] = {
        {.fd = PAWL_WIRE_FD_ANSWERS, .events = POLLIN},
        {.fd = PAWL_WIRE_FD_CALLS, .events = POLLOUT},
    };
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    /* The deadline is the parent's, who says that it has come. */
    if (!sending && at == 0)
        return receive(run);
    uint64_t until = run->services.deadline;
    if (at != 0 && (until == 0 || at < until))
        until = at;
    struct timespec wait, *limit = NULL;
    if (until != 0) {
        uint64_t now = monotonic(), left = until > now ? until - now : 0;
        wait = (struct timespec){(time_t)(left / 1000000000), (long)(left % 1000000000)};
        limit = &wait;
    }
    int ready = ppoll(fds, sending ? 2 : 1, limit, NULL);
    if (ready > 0 && fds[0].revents != 0)
        return receive(run);
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    return at != 0 && monotonic() >= at ? PAWL_E_TIMEOUT : PAWL_OK;
}

/* Keeps settled_fd readable while a settlement waits here or the run is over. */
static void show_settled(struct run *run)
{
    uint64_t count = 1;
    if (!run->fd_given)
        return;
    bool waiting = run->first != NULL || run->ended != PAWL_END_NONE;
    ssize_t done = waiting ? write(settled_event, &count, sizeof(count))
                           : read(settled_event, &count, sizeof(count));
    (void)done; /* it was in that state already */
}

/* --- What is sent ---------------------------------------------------------------------------- */

/* Ends and sends the frame that was begun on `calls`. While the parent does not read, because it
 * has answers to deliver first, those are taken in. */
static int32_t send_call_frame(struct run *run)
{
    struct frame_writer *calls = &run->channel->calls;
    int32_t status = frame_end(calls, run->channel->frame_limit);
    if (status != PAWL_OK)
        return status;
    while ((status = frame_flush(calls, PAWL_WIRE_FD_CALLS)) == PAWL_E_TIMEOUT) {
        status = wait_and_receive(run, true, 0);
        if (status != PAWL_OK)
            return status;
    }
    if (status != PAWL_OK)
        channel_lost();
    show_settled(run);
    return PAWL_OK;
}

/* Settles a call that is too large to cross, as the host would settle a call whose arguments it
 * does not accept. */
static int32_t refuse_large_call(struct run *run, size_t size, uint64_t *id)
{
    struct text settled TEXT_CLEANUP = {0};
    text_format(&settled,
                "{\"id\":%llu,\"status\":\"error\",\"code\":\"bad_arguments\",\"message\":"
                "\"the arguments are %zu bytes of JSON; at most %zu can be passed\"}",
                (unsigned long long)(run->last_id | LOCAL_CALL), size, run->channel->frame_limit);
    if (settled.failed)
        return settled.failed;
    *id = run->last_id | LOCAL_CALL;
    run->mixed = true;
    run->in_flight++;
    return enqueue(run, settled.data, settled.size);
}

static int32_t run_call(void *context, uint32_t function, const char *arguments, size_t size,
                        uint64_t *id)
{
    struct run *run = context;
    struct json array;
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (function >= run->functions || !json_check(arguments, size, &array) ||
        json_type(array) != JSON_ARRAY)
        return PAWL_E_ARGUMENT;
    run->last_id++;
    struct text *text = frame_begin(&run->channel->calls, PAWL_WIRE_CALL);
    text_format(text,
                "{\"id\":%llu,\"function\":%u,\"arguments\":", (unsigned long long)run->last_id,
                function);
    text_append(text, array.text, array.size);
    text_append(text, "}", 1);
    int32_t status = send_call_frame(run);
    if (status == PAWL_E_LIMIT)
        status = refuse_large_call(run, size, id);
    else if (status == PAWL_OK) {
        *id = run->last_id;
        run->in_flight++;
    }
    return status;
}

/* The largest size below `most` that cuts no character in two. */
static size_t cut(const char *text, size_t most)
{
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    return most;
}

static int32_t run_log(void *context, const char *entry, size_t size)
{
    struct run *run = context;
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    /* An entry that cannot cross is over the host's cap on output, too; of such a one the host
     * needs no more than tells it so. */
    for (;;) {
        struct text *text = frame_begin(&run->channel->calls, PAWL_WIRE_LOG);
        text_string(text, "{\"text\":");
        text_json_string(text, entry, size);
        text_append(text, "}", 1);
        int32_t status = send_call_frame(run);
        if (status != PAWL_E_LIMIT)
            return status;
        size_t most = run->channel->frame_limit - 64;
        size = cut(entry, size > most ? most : size - size / 4);
    }
}

/* --- Settlements ----------------------------------------------------------------------------- */

static void drop_current(struct run *run)
{
    free(run->current);
    run->current = NULL;
}

/* Fills in a settlement from the text of its frame. */
static int32_t fill_in(struct run *run, const struct settled *settled,
                       struct pawl_settlement *settlement)
{
    static const char *const words[] = {"ok", "error", "denied", "failed"};
    struct json_member m[] = {
        {.name = "id", .type = JSON_UNSIGNED, .required = true},
        {.name = "status", .type = JSON_STRING, .required = true},
        {.name = "value"},
        {.name = "message", .type = JSON_STRING},
        {.name = "code", .type = JSON_STRING},
    };
    struct json frame;
    if (!json_check(settled->text, settled->size, &frame) ||
        !json_members(frame, m, LENGTH(m), NULL))
        channel_lost();
    uint32_t status = 0;
    while (status < LENGTH(words) && !json_equals(m[1].value, words[status]))
        status++;
    if (status == LENGTH(words) || (status == PAWL_SETTLED_OK) != (m[2].value.text != NULL))
        channel_lost();
    json_unsigned(m[0].value, &settlement->id);
    settlement->status = status;
    settlement->reserved = 0;
    settlement->code = NULL;
    if (status == PAWL_SETTLED_OK) {
        settlement->text =
            (struct pawl_text){.data = m[2].value.text, .size = (uint32_t)m[2].value.size};
        return PAWL_OK;
    }
    text_clear(&run->message);
    text_clear(&run->code);
    if (m[3].value.text != NULL)
        json_decode(m[3].value, &run->message);
    if (m[4].value.text != NULL)
        json_decode(m[4].value, &run->code);
    settlement->text.data = text_get(&run->message);
    settlement->text.size = (uint32_t)run->message.size;
    settlement->code = text_get(&run->code);
    return settlement->text.data == NULL || settlement->code == NULL ? PAWL_E_MEMORY : PAWL_OK;
}

/* Waits until a settlement is here. */
static int32_t await_settled(struct run *run, int32_t timeout)
{
    uint64_t at = timeout >= 0 ? monotonic() + (uint64_t)timeout * 1000000 : 0;
    while (run->first == NULL) {
        int32_t status = wait_and_receive(run, false, at);
        if (status == PAWL_OK && run->ended != PAWL_END_NONE)
            status = PAWL_E_ENDED;
        if (status != PAWL_OK)
            return status;
    }
    return PAWL_OK;
}

/* The same where the host says what comes next, and when the time is over, so that it can say the
 * same again. */
static int32_t ask_next(struct run *run, int32_t timeout)
{
    if (run->first != NULL) /* of a call that never left the child */
        return PAWL_OK;
    struct text *text = frame_begin(&run->channel->calls, PAWL_WIRE_NEXT);
    if (timeout < 0)
        text_string(text, "{}");
    else
        text_format(text, "{\"timeout\":%d}", timeout);
    run->answered = false;
    int32_t status = send_call_frame(run);
    while (status == PAWL_OK && run->first == NULL && !run->answered)
        status = run->ended ? PAWL_E_ENDED : wait_and_receive(run, false, 0);
    return status == PAWL_OK && run->first == NULL ? PAWL_E_TIMEOUT : status;
}

static int32_t run_next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    struct run *run = context;
    drop_current(run);
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (run->in_flight == 0 && timeout <= 0)
        return PAWL_E_STATE;
    int32_t status = run->ask ? ask_next(run, timeout) : await_settled(run, timeout);
    if (status != PAWL_OK) {
        show_settled(run);
        return status;
    }
    run->current = run->first;
    run->first = run->current->next;
    if (run->first == NULL)
        run->last = &run->first;
    run->in_flight--;
    show_settled(run);
    return fill_in(run, run->current, settlement);
}

static int32_t run_settled_fd(void *context)
{
    struct run *run = context;
    run->fd_given = true;
    show_settled(run);
    return settled_poll;
}

/* --- Questions ------------------------------------------------------------------------------- */

/* Sends the question that was begun and waits for its answer. *value becomes its value, absent if
 * the host could not answer; then *message says why. Both point into the run. */
static int32_t ask(struct run *run, struct json *value, struct json *message)
{
    struct json_member m[] = {{.name = "value"}, {.name = "message", .type = JSON_STRING}};
    run->answered = false;
    int32_t status = send_call_frame(run);
    while (status == PAWL_OK && !run->answered)
        status = run->ended ? PAWL_E_ENDED : wait_and_receive(run, false, 0);
    show_settled(run);
    if (status != PAWL_OK)
        return status;
    const struct json frame = {run->answer.data, run->answer.size};
    if (!json_members(frame, m, LENGTH(m), NULL))
        channel_lost();
    *value = m[0].value;
    if (message != NULL)
        *message = m[1].value;
    return PAWL_OK;
}

static int32_t run_discover(void *context, const char *query, size_t size,
                            const struct pawl_sink *answer)
{
    struct run *run = context;
    struct json value, message;
    if ((run->services.flags & PAWL_RUN_DISCOVER) == 0)
        return PAWL_E_UNSUPPORTED;
    struct text *text = frame_begin(&run->channel->calls, PAWL_WIRE_DISCOVER);
    text_string(text, "{\"query\":");
    text_json_string(text, query, size);
    text_append(text, "}", 1);
    int32_t status = ask(run, &value, &message);
    if (status != PAWL_OK)
        return status;
    if (value.text != NULL) {
        answer->write(answer->context, value.text, value.size);
        return PAWL_OK;
    }
    text_clear(&run->message);
    if (message.text != NULL)
        json_decode(message, &run->message);
    answer->write(answer->context, run->message.data, run->message.size);
    return PAWL_E_UNAVAILABLE;
}

static int32_t run_clock(void *context, int64_t *nanoseconds)
{
    struct run *run = context;
    struct timespec now;
    if (!run->ask) {
        clock_gettime(CLOCK_REALTIME, &now);
        *nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
        return PAWL_OK;
    }
    struct json value;
    uint64_t number;
    text_string(frame_begin(&run->channel->calls, PAWL_WIRE_CLOCK), "{}");
    int32_t status = ask(run, &value, NULL);
    if (status != PAWL_OK)
        return status;
    if (!json_unsigned(value, &number))
        return PAWL_E_UNAVAILABLE;
    *nanoseconds = (int64_t)number;
    return PAWL_OK;
}

/* Fills in `size` bytes from a string of hexadecimal digits. */
static bool read_hexadecimal(struct json string, unsigned char *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    if (string.text == NULL || string.size != 2 * size + 2)
        return false;
    for (size_t i = 0; i < 2 * size; i++) {
        char digit = string.text[1 + i];
        const char *found = digit == '\0' ? NULL : strchr(digits, digit);
        if (found == NULL)
            return false;
        bytes[i / 2] = (unsigned char)(bytes[i / 2] << 4 | (found - digits));
    }
    return true;
}

static int32_t ask_random(struct run *run, unsigned char *bytes, size_t size)
{
    struct json value;
    text_format(frame_begin(&run->channel->calls, PAWL_WIRE_RANDOM), "{\"size\":%zu}", size);
    int32_t status = ask(run, &value, NULL);
    if (status == PAWL_OK && !read_hexadecimal(value, bytes, size))
        status = PAWL_E_UNAVAILABLE;
    return status;
}

static int32_t run_random(void *context, void *buffer, size_t size)
{
    struct run *run = context;
    unsigned char *bytes = buffer;
    while (size > 0) {
        size_t part = size;
        if (run->ask) {
            part = size < PAWL_WIRE_RANDOM_MOST ? size : PAWL_WIRE_RANDOM_MOST;
            int32_t status = ask_random(run, bytes, part);
            if (status != PAWL_OK)
                return status;
        } else {
            ssize_t got = getrandom(bytes, size, 0);
            if (got < 0 && errno != EINTR)
                return PAWL_E_SYSTEM;
            part = got < 0 ? 0 : (size_t)got;
        }
        bytes += part;
        size -= part;
    }
    return PAWL_OK;
}

/* --- Facts and the end ----------------------------------------------------------------------- */

static int32_t run_fact(void *context, const char *name, const char *json, size_t size)
{
    struct run *run = context;
    if (run->finished)
        return PAWL_E_STATE;
    if (!json_check(json, size, NULL))
        return PAWL_E_ARGUMENT;
    struct text *text = frame_begin(&run->channel->report, PAWL_WIRE_FACT);
    text_string(text, "{\"name\":");
    text_json_string(text, name, strlen(name));
    text_string(text, ",\"value\":");
    text_append(text, json, size);
    text_append(text, "}", 1);
    return channel_report(run->channel);
}

static void append_text(struct text *text, const char *name, struct pawl_text value)
{
    text_format(text, ",\"%s\":", name);
    text_json_string(text, value.data, value.size);
}

static int32_t report_failure(struct run *run, const struct pawl_failure *failure, bool whole)
{
    struct text *text = frame_begin(&run->channel->report, PAWL_WIRE_FAILURE);
    struct pawl_text message = failure->message;
    size_t most = run->channel->frame_limit / 8;
    if (!whole && message.size > most)
        message.size = (uint32_t)cut(message.data, most);
    text_string(text, "{\"kind\":");
    text_json_string(text, failure->kind, strlen(failure->kind));
    append_text(text, "message", message);
    if (whole && failure->subject.size > 0)
        append_text(text, "subject", failure->subject);
    if (failure->line > 0)
        text_format(text, ",\"line\":%u", failure->line);
    if (failure->column > 0)
        text_format(text, ",\"column\":%u", failure->column);
    if (failure->call != 0 && (failure->call & LOCAL_CALL) == 0)
        text_format(text, ",\"call\":%llu", (unsigned long long)failure->call);
    if (whole && failure->suggestions != NULL && failure->suggestions[0] != NULL) {
        text_string(text, ",\"suggestions\":");
        for (size_t i = 0; i < PAWL_WIRE_SUGGESTIONS && failure->suggestions[i] != NULL; i++) {
            text_append(text, i == 0 ? "[" : ",", 1);
            text_json_string(text, failure->suggestions[i], strlen(failure->suggestions[i]));
        }
        text_string(text, "]");
    }
    text_append(text, "}", 1);
    return channel_report(run->channel);
}

static int32_t run_fail(void *context, const struct pawl_failure *failure)
{
    struct run *run = context;
    if (run->finished)
        return PAWL_E_STATE;
    int32_t status = report_failure(run, failure, true);
    if (status == PAWL_E_LIMIT)
        status = report_failure(run, failure, false);
    run->finished = status == PAWL_OK;
    return status;
}

/* A value that cannot cross is over the host's cap on output, unless that was raised without
 * raising the limit of a frame. */
static int32_t fail_large_value(struct run *run, size_t size)
{
    struct text message TEXT_CLEANUP = {0};
    text_format(&message, "the value is %zu bytes of JSON; at most %zu can be returned", size,
                run->channel->frame_limit);
    const struct pawl_failure failure = {
        .header = PAWL_HEADER(FAILURE, failure),
        .kind = "output_limit",
        .message = {.data = message.data, .size = (uint32_t)message.size},
    };
    return message.failed ? message.failed : run_fail(run, &failure);
}

static int32_t run_value(void *context, const char *json, size_t size)
{
    struct run *run = context;
    if (run->finished)
        return PAWL_E_STATE;
    struct text *text = frame_begin(&run->channel->report, PAWL_WIRE_VALUE);
    text_append(text, "{", 1);
    if (json != NULL) {
        text_string(text, "\"value\":");
        text_append(text, json, size);
    }
    text_append(text, "}", 1);
    int32_t status = channel_report(run->channel);
    if (status == PAWL_E_LIMIT)
        return fail_large_value(run, size);
    run->finished = status == PAWL_OK;
    return status;
}

/* --- Being put aside ------------------------------------------------------------------------- */

/* The program's state is sent in pieces that fit into frames. */
static int32_t run_suspend(void *context, const void *image, size_t size)
{
    struct run *run = context;
    size_t most = (run->channel->frame_limit - 64) / 4 * 3;
    if (run->ended != PAWL_END_SUSPEND)
        return PAWL_E_STATE;
    if (run->mixed)
        return PAWL_E_UNSUPPORTED;
    for (const char *at = image; size > 0;) {
        size_t part = size < most ? size : most;
        struct text *text = frame_begin(&run->channel->report, PAWL_WIRE_IMAGE);
        text_string(text, "{\"data\":\"");
        base64_encode(text, at, part);
        text_string(text, "\"}");
        int32_t status = channel_report(run->channel);
        if (status != PAWL_OK)
            return status;
        at += part;
        size -= part;
    }
    return PAWL_OK;
}

/* --- One run --------------------------------------------------------------------------------- */

static void report_return(struct run *run, int32_t status, struct text *why)
{
    if (run->finished)
        return;
    if (run_cancelled(run) != PAWL_END_NONE) {
        text_string(frame_begin(&run->channel->report, PAWL_WIRE_STOPPED), "{}");
        channel_report(run->channel);
        return;
    }
    if (status == PAWL_OK) {
        text_clear(why);
        text_string(why, "the engine returned without saying how the program ended");
        status = PAWL_E_PLUGIN;
    }
    const char *explanation = text_get(why);
    channel_report_error(run->channel, status, explanation == NULL ? "no memory" : explanation);
}

/* Sleeps until the parent has read the end and closes the channel or kills this process: whoever
 * was just woken by a write may be waiting for this processor, and ending a process takes long. */
static void wait_for_parent(void)
{
    struct pollfd answers = {.fd = PAWL_WIRE_FD_ANSWERS};
    poll(&answers, 1, PARTING_PATIENCE);
}

void run_serve(struct channel *channel, struct engine *engine, struct json program)
{
    struct run run = {
        .services =
            {
                .header = PAWL_HEADER(RUN, struct pawl_run),
                .context = &run,
                .call = run_call,
                .next = run_next,
                .settled_fd = run_settled_fd,
                .log = run_log,
                .discover = run_discover,
                .cancelled = run_cancelled,
                .clock = run_clock,
                .random = run_random,
                .fact = run_fact,
                .value = run_value,
                .fail = run_fail,
                .suspend = run_suspend,
            },
        .channel = channel,
        .last = &run.first,
    };
    struct text why = {0};
    struct pawl_sink sink = text_sink(&why);
    int32_t status = program_read(program, &run.services, &run.functions, &run.ask, &why);
    if (status == PAWL_OK)
        status = limits_of_run(program, &why);
    run.last_id = run.services.last_call;
    run.in_flight = run.services.in_flight;
    if (status == PAWL_OK)
        status = engine->provider.run(engine->instance, &run.services, &sink);
    report_return(&run, status, &why);
    wait_for_parent();
}
