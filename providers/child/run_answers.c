/* The answers channel: what arrives. */
#include "run_state.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* What settled_fd returns: readable while the answers channel or the event is. */
static int settled_poll = -1, settled_event = -1;

static const char *const end_words[] = {
    [PAWL_END_NONE] = "",         [PAWL_END_DEADLINE] = "deadline", [PAWL_END_ABORT] = "abort",
    [PAWL_END_CALLS] = "calls",   [PAWL_END_BYTES] = "bytes",       [PAWL_END_OUTPUT] = "output",
    [PAWL_END_MEMORY] = "memory", [PAWL_END_FAULT] = "fault",       [PAWL_END_SUSPEND] = "suspend",
};

int32_t run_prepare_answers(struct text *why)
{
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

int32_t run_enqueue(struct run *run, const char *text, size_t size)
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
        return run_enqueue(run, frame->text, frame->size);
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

int32_t run_wait(struct run *run, bool sending, uint64_t at)
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
        uint64_t now = run_now(), left = until > now ? until - now : 0;
        wait = (struct timespec){(time_t)(left / 1000000000), (long)(left % 1000000000)};
        limit = &wait;
    }
    int ready = ppoll(fds, sending ? 2 : 1, limit, NULL);
    if (ready > 0 && fds[0].revents != 0)
        return receive(run);
    if (run_cancelled(run) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    return at != 0 && run_now() >= at ? PAWL_E_TIMEOUT : PAWL_OK;
}

/* Keeps settled_fd readable while a settlement waits here or the run is over. */
void run_show_settled(struct run *run)
{
    uint64_t count = 1;
    if (!run->fd_given)
        return;
    bool waiting = run->first != NULL || run->ended != PAWL_END_NONE;
    ssize_t done = waiting ? write(settled_event, &count, sizeof(count))
                           : read(settled_event, &count, sizeof(count));
    (void)done; /* it was in that state already */
}

int32_t run_settled_fd(void *context)
{
    struct run *run = context;
    run->fd_given = true;
    run_show_settled(run);
    return settled_poll;
}
