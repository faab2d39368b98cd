#include "relay.h"

#include <errno.h>
#include <pawl/wire.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program_frame.h"
#include "relay_state.h"

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

/* --- From the child -------------------------------------------------------------------------- */

/* Handles the next frame that is complete. False: there is none, or the run is over. */
static bool handle_frame(struct relay *relay, struct frame_reader *reader,
                         const struct relay_handler *handlers)
{
    struct frame frame;
    struct json value;
    int32_t taken = frame_take(reader, &frame);
    if (taken < 0)
        relay_offend(relay, "a frame larger than %zu bytes", reader->limit);
    if (taken <= 0)
        return false;
    for (; handlers->handle != NULL; handlers++) {
        if (handlers->type != frame.type)
            continue;
        if (!json_check(frame.text, frame.size, &value) || json_type(value) != JSON_OBJECT)
            relay_offend(relay, "a frame that is no JSON object");
        else
            handlers->handle(relay, value);
        return !relay->over;
    }
    relay_offend(relay, "a frame of type 0x%02x, which does not belong there",
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
           handle_frame(relay, &relay->worker->calls, relay_of_calls))
        flush_answers(relay);
}

static void handle_report(struct relay *relay)
{
    while (!relay->over && handle_frame(relay, &relay->worker->report, relay_of_report))
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
        relay_give_up(relay, PAWL_E_MEMORY, "no memory");
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

void relay_drain_calls(struct relay *relay)
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

static void send_settlement(struct relay *relay, const struct pawl_settlement *settlement)
{
    static const char *const words[] = {"ok", "error", "denied", "failed"};
    uint64_t id = relay_land(relay, settlement->id);
    if (id == 0)
        return;
    uint32_t status = settlement->status < LENGTH(words) ? settlement->status : 3;
    struct text *text = frame_begin(&relay->worker->answers, PAWL_WIRE_SETTLED);
    text_string(text, "{\"id\":");
    text_unsigned(text, id);
    text_string(text, ",\"status\":\"");
    text_string(text, words[status]);
    if (status == PAWL_SETTLED_OK) {
        text_string(text, "\",\"value\":");
        text_append(text, settlement->text.data, settlement->text.size);
    } else {
        const char *code = settlement->code == NULL ? "" : settlement->code;
        text_string(text, "\",\"message\":");
        text_json_string(text, settlement->text.data, settlement->text.size);
        text_string(text, ",\"code\":");
        text_json_string(text, code, strlen(code));
    }
    text_append(text, "}", 1);
    int32_t sent = frame_end(&relay->worker->answers, PAWL_WIRE_FRAME_MOST);
    if (sent != PAWL_OK)
        relay_give_up(relay, sent, "a settlement cannot be sent");
}

/* Whether the host is to say now what comes next. Its answer counts, and is recorded: it must not
 * be asked before there is one, or before the time is over. */
static bool is_ready(const struct relay *relay, bool settled)
{
    return settled || (relay->next_until != 0 && worker_now() >= relay->next_until);
}

/* Takes settled calls as long as the child takes what is sent. */
static void deliver(struct relay *relay, bool settled)
{
    flush_answers(relay);
    while (!relay->over && (relay->asks ? relay->wants_next : relay->flying > 0) &&
           !frame_is_queued(&relay->worker->answers)) {
        struct pawl_settlement settlement = {.header = PAWL_HEADER(SETTLEMENT, settlement)};
        if (relay->asks && !is_ready(relay, settled))
            return;
        int32_t status = relay->run->next(relay->run->context, 0, &settlement);
        if (status == PAWL_E_TIMEOUT && relay->asks && relay->next_until == 0)
            return; /* it was readable for nothing: the child waits for a settlement alone */
        if (relay->asks && (status == PAWL_E_TIMEOUT || status == PAWL_E_STATE)) {
            relay_answer_timeout(relay);
            flush_answers(relay);
            return;
        }
        relay->wants_next = false;
        if (status == PAWL_E_TIMEOUT || status == PAWL_E_STATE || !relay_goes_on(relay, status))
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
    if (status == PAWL_OK && worker->recipe->is_command)
        child_close(&worker->child.launch); /* an engine's child reads on no more, and need not wait
                                               until that is done */
    else if (status != PAWL_OK && status != PAWL_E_TIMEOUT)
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
    fds[LAUNCH] =
        (struct pollfd){frame_is_queued(&worker->launch) ? child->launch : -1, POLLOUT, 0};
    fds[EXIT] = (struct pollfd){child->pidfd, POLLIN, 0};
    bool deaf = blocked || (relay->asks && !relay->wants_next);
    fds[SETTLED] = (struct pollfd){deaf ? -1 : settled_fd, POLLIN, 0};
}

static int patience(const struct relay *relay)
{
    int timeout = -1;
    uint64_t until = relay->run->deadline;
    if (relay->closing != 0 && (until == 0 || relay->closing < until))
        until = relay->closing;
    if (relay->wants_next && relay->next_until != 0 && (until == 0 || relay->next_until < until))
        until = relay->next_until;
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
    relay_drain_calls(relay);
    relay_end_without_result(relay, &end);
}

static void step(struct relay *relay, int settled_fd)
{
    struct pollfd fds[WATCHED];
    watch(relay, settled_fd, fds);
    if (poll(fds, WATCHED, patience(relay)) < 0 && errno != EINTR) {
        relay_give_up(relay, PAWL_E_SYSTEM, "poll failed");
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
    deliver(relay, fds[SETTLED].revents != 0);
    if (fds[EXIT].revents != 0 && !relay->over)
        bury(relay);
    if (relay->closing != 0 && !relay->over && worker_now() >= relay->closing)
        relay_offend(relay, "it closed its %s channel and went on", relay->closed);
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

/* Before the command has the program: the way to the proxy if there is to be one, otherwise none.
 */
static int32_t open_gateway(struct relay *relay)
{
    struct child *child = &relay->worker->child;
    const struct pawl_policy *policy = relay->run->policy;
    if (child->gateway < 0)
        return PAWL_OK;
    if (policy != NULL && policy->egress == PAWL_EGRESS_PROXY && policy->proxy != NULL)
        return gateway_open(&relay->gateway, child->gateway, policy->proxy, relay->run->deadline,
                            relay->why);
    child_close(&child->gateway);
    return PAWL_OK;
}

static void state_setup(const struct pawl_run *run, uint64_t nanoseconds)
{
    char text[32];
    const unsigned long long microseconds = nanoseconds / 1000;
    int size =
        snprintf(text, sizeof(text), "%llu.%03llu", microseconds / 1000, microseconds % 1000);
    run->fact(run->context, "setup_ms", text, (size_t)size);
}

int32_t relay_run(struct worker *worker, const struct pawl_run *run, uint64_t began,
                  struct text *why)
{
    if (run->image.data != NULL && !worker->images) {
        text_string(why, "what the child runs cannot go on from an image");
        return PAWL_E_UNSUPPORTED;
    }
    struct relay relay = {.worker = worker, .run = run, .why = why, .status = PAWL_OK};
    relay.asks = worker->recipe->record || (run->flags & PAWL_RUN_RECORD) != 0;
    int settled_fd = run->settled_fd(run->context);
    if (settled_fd < 0) {
        text_string(why, "the host has no descriptor for settled calls");
        return settled_fd;
    }
    int32_t status = bounds_set(&relay.bounds, worker, run, why);
    if (status == PAWL_OK)
        status = open_gateway(&relay);
    if (status == PAWL_OK)
        status = program_frame(&worker->launch, run, worker_now(), worker->recipe->record,
                               &relay.bounds.limits);
    if (status == PAWL_OK) {
        const uint64_t setup = worker_now() - began;
        if (!worker->spoke)
            send_program(&relay);
        /* The child is busy meanwhile. */
        state_setup(run, setup);
        bounds_state_facts(&relay.bounds, run);
        if (worker->spoke)
            relay_offend(&relay, "it spoke before it had the program");
        while (!relay.over)
            step(&relay, settled_fd);
        if (worker->images && run->cancelled(run->context) == PAWL_END_SUSPEND)
            relay_suspend(&relay);
        else if (worker->recipe->is_command && !relay.offended)
            part_from_command(&relay);
        status = relay.status;
    }
    gateway_close(relay.gateway);
    bounds_clear(&relay.bounds, worker);
    free(relay.calls);
    free(relay.in_flight);
    return status;
}
