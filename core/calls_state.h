/* calls_state.h - the calls of one run from inside: what the files calls*.c share. */
#ifndef PAWL_CORE_CALLS_STATE_H
#define PAWL_CORE_CALLS_STATE_H

#include "core/call.h"
#include "core/calls.h"

struct queue {
    struct pawl_call *first;
    struct pawl_call **end; /* where the next one is hooked in */
};

struct calls {
    atomic_uint references; /* the run's, and one for each call that a worker holds */
    atomic_uint end;        /* PAWL_END_*, CALLS_FINISHED */
    struct calls_setup setup;

    /* What a stage waited for somebody (PAWL_STAGE_WAITS), of which the deadline knows nothing:
     * nanoseconds so far, and since when one waits now (0: none does). Written under the lock, in
     * an order in which a signal handler sees too much for a moment, but never too little. */
    _Atomic uint64_t waited;
    _Atomic uint64_t waiting_since;

    pawl_ring *ring;
    char run_id[24];

    pthread_mutex_t lock; /* for everything below */
    pthread_cond_t came_back;
    bool closed;

    bool parked;
    bool suspending; /* a call was put off: no other starts, and when none runs the run ends */
    char *put_off_why;

    calls_late late; /* while they are closed */
    void *late_context;

    struct queue waiting;
    struct queue put_off;
    struct queue starting; /* to be given to workers by calls_leave */
    struct queue settled;
    struct pawl_call *taken; /* its text is lent until the next service call */
    struct pawl_call *running[REQUEST_MAX_CONCURRENCY];
    unsigned running_count;
    unsigned waiting_count; /* of those that run: their stages wait for somebody */
    bool exclusive;         /* the one that runs, runs alone */
    unsigned in_flight;     /* waiting or running */
    size_t held;            /* bytes of all that are not taken */

    struct call_entry *entries;
    size_t entry_count;
    size_t entry_capacity;
    size_t recorded; /* bytes of the records' errors */
    bool incomplete; /* there was no memory for a record */
    uint64_t counted;
    uint64_t bytes;
    uint64_t busy_since;
    uint64_t busy;

    bool sleeping; /* the run's thread waits for wake_fd and must be woken */
    bool wake_due; /* calls_leave wakes it */
    int wake_fd;
    int epoll_fd; /* of wake_fd, the tokens and the timer, for those who poll; then wake_fd is
                     readable while something is settled */
    int timer_fd;
};

static inline void queue_init(struct queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

static inline void queue_push(struct queue *queue, struct pawl_call *call)
{
    call->next = NULL;
    *queue->end = call;
    queue->end = &call->next;
}

static inline struct pawl_call *queue_pop(struct queue *queue)
{
    struct pawl_call *call = queue->first;
    if (call == NULL)
        return NULL;
    queue->first = call->next;
    if (queue->first == NULL)
        queue->end = &queue->first;
    return call;
}

/* Unlinks a call from a queue that it is in. */
static inline void queue_remove(struct queue *queue, const struct pawl_call *call)
{
    struct pawl_call **at = &queue->first;
    while (*at != call)
        at = &(*at)->next;
    *at = call->next;
    if (*at == NULL)
        queue->end = at;
}

/* The call of that id in a queue, or NULL. */
static inline struct pawl_call *queue_find(const struct queue *queue, uint64_t id)
{
    struct pawl_call *call = queue->first;
    while (call != NULL && call->id != id)
        call = call->next;
    return call;
}

/* Whether the run is to be suspended and nothing runs any more: once all that has settled is taken,
 * it is over. */
static inline bool calls_is_put_aside(const struct calls *calls)
{
    return calls->suspending && calls->running_count == 0;
}

/* All functions below but calls_serve are called with the lock held. */

/* calls_wake.c: waking whoever waits for a settled call. */
int calls_need_wake_fd(struct calls *calls);
void calls_close_fds(const struct calls *calls);
void calls_wake(struct calls *calls);
void calls_write_wake(const struct calls *calls);
void calls_read_wake(const struct calls *calls);
void calls_set_timer(const struct calls *calls);

/* When a call times out, and when the next one or the run does; 0: never, as long as nothing
 * changes. */
uint64_t call_time_out(const struct pawl_call *call);
uint64_t calls_next_deadline(const struct calls *calls);

/* calls_settle.c: how calls come out, and the records of it. */
struct call_entry *calls_entry(const struct calls *calls, const struct pawl_call *call);
void calls_record_error(struct calls *calls, struct call_entry *entry, const char *text,
                        size_t size);
void calls_set_held(struct calls *calls, struct pawl_call *call, size_t bytes);
void calls_settle(struct calls *calls, struct pawl_call *call);
void calls_remove_running(struct calls *calls, struct pawl_call *call);
void calls_put_aside(struct calls *calls, struct pawl_call *call);
void calls_show(const struct calls *calls, uint32_t what, const struct pawl_call *call);

/* calls.c: gives a settled call, which is in no queue, to the program. */
void calls_take(struct calls *calls, struct pawl_call *call, struct pawl_settlement *settlement);

/* calls_serve.c: what worker threads do with a call. */
extern const char calls_ended_before[];
void calls_serve(struct pawl_call *call);
void calls_start_ready(struct calls *calls);
void calls_abandon(struct pawl_call *call, uint32_t outcome);

/* A stage begins or ends to wait for somebody. */
void calls_start_waiting(struct calls *calls, struct pawl_call *call);
void calls_stop_waiting(struct calls *calls, struct pawl_call *call);

/* Unlocks, and only then wakes threads that would want the lock at once. */
void calls_leave(struct calls *calls);

#endif
