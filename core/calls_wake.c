#include "core/calls_state.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/cancel.h"

static void close_fd(int fd)
{
    if (fd >= 0)
        close(fd);
}

void calls_close_fds(const struct calls *calls)
{
    close_fd(calls->wake_fd);
    close_fd(calls->epoll_fd);
    close_fd(calls->timer_fd);
}

void calls_write_wake(const struct calls *calls)
{
    uint64_t one = 1;
    (void)!write(calls->wake_fd, &one, sizeof(one));
}

void calls_read_wake(const struct calls *calls)
{
    uint64_t count;
    (void)!read(calls->wake_fd, &count, sizeof(count));
}

void calls_wake(struct calls *calls)
{
    if (calls->epoll_fd >= 0)
        calls_write_wake(calls);
    else if (calls->sleeping)
        calls->wake_due = true;
    calls->sleeping = false;
}

int calls_need_wake_fd(struct calls *calls)
{
    if (calls->wake_fd < 0)
        calls->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return calls->wake_fd < 0 ? PAWL_E_SYSTEM : PAWL_OK;
}

/* When a call times out; 0: never, as long as nothing changes. */
uint64_t call_time_out(const struct pawl_call *call)
{
    return call->waiting ? 0 : call->deadline;
}

/* When the next running call times out, or the run does; 0: never, as long as nothing changes. */
uint64_t calls_next_deadline(const struct calls *calls)
{
    uint64_t earliest = 0;
    if (calls->setup.deadline != 0 && calls->waiting_count == 0)
        earliest = calls->setup.deadline + atomic_load(&calls->waited);
    for (unsigned i = 0; i < calls->running_count; i++) {
        uint64_t deadline = call_time_out(calls->running[i]);
        if (deadline != 0 && (earliest == 0 || deadline < earliest))
            earliest = deadline;
    }
    return earliest;
}

/* Keeps the timer of those who poll at the next deadline. */
void calls_set_timer(const struct calls *calls)
{
    if (calls->timer_fd < 0)
        return;
    uint64_t at = calls_next_deadline(calls);
    struct itimerspec timer = {.it_value = {.tv_sec = (time_t)(at / 1000000000ull),
                                            .tv_nsec = (long)(at % 1000000000ull)}};
    timerfd_settime(calls->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

static int watch(int epoll_fd, int fd)
{
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

static int make_epoll(struct calls *calls)
{
    calls->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    calls->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (calls->epoll_fd < 0 || calls->timer_fd < 0 || calls_need_wake_fd(calls) != PAWL_OK ||
        watch(calls->epoll_fd, calls->wake_fd) != 0 || watch(calls->epoll_fd, calls->timer_fd) != 0)
        return PAWL_E_SYSTEM;
    for (int i = 0; i < 2; i++)
        if (calls->setup.cancels[i] != NULL &&
            watch(calls->epoll_fd, cancel_fd(calls->setup.cancels[i])) != 0)
            return PAWL_E_SYSTEM;
    calls_set_timer(calls);
    /* What is played never has to be waited for. */
    if (calls->settled.first != NULL || calls->parked || calls_is_put_aside(calls))
        calls_write_wake(calls);
    return PAWL_OK;
}

int calls_settled_fd(struct calls *calls)
{
    pthread_mutex_lock(&calls->lock);
    if (calls->epoll_fd < 0 && make_epoll(calls) != PAWL_OK) {
        close_fd(calls->epoll_fd);
        close_fd(calls->timer_fd);
        calls->epoll_fd = calls->timer_fd = -1;
    }
    int fd = calls->epoll_fd >= 0 ? calls->epoll_fd : PAWL_E_SYSTEM;
    pthread_mutex_unlock(&calls->lock);
    return fd;
}
