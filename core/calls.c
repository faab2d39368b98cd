#include "core/calls.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/call.h"
#include "core/cancel.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/json.h"
#include "core/signature.h"
#include "core/workers.h"

/* More calls than this no run makes, whatever its budget: each leaves a record. */
#define MAX_CALLS 1000000u

/* What may wait or run at once, and what all calls that the program has not taken may hold: their
 * arguments, then their answers. A program that begins more gets errors. */
#define MAX_IN_FLIGHT  4096u
#define MAX_HELD_BYTES (64u << 20)

/* How much of why calls failed the records keep. */
#define MAX_RECORDED_BYTES (4u << 20)

#define DEFAULT_CONCURRENCY 8u
#define MAX_CONCURRENCY     64u

/* How long the end of a run waits for host functions that were told of it. */
#define GRACE_MS 100

static const char ended_before_call[] = "the run ended before the call began";

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

    struct queue waiting;
    struct queue starting; /* to be given to workers by `leave` */
    struct queue settled;
    struct pawl_call *taken; /* its text is lent until the next service call */
    struct pawl_call *running[MAX_CONCURRENCY];
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
    bool wake_due; /* `leave` wakes it */
    int wake_fd;
    int epoll_fd; /* of wake_fd, the tokens and the timer, for those who poll; then wake_fd is
                     readable while something is settled */
    int timer_fd;
};

/* --- Life ---------------------------------------------------------------------------------- */

static void queue_init(struct queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

static void queue_push(struct queue *queue, struct pawl_call *call)
{
    call->next = NULL;
    *queue->end = call;
    queue->end = &call->next;
}

static struct pawl_call *queue_pop(struct queue *queue)
{
    struct pawl_call *call = queue->first;
    if (call == NULL)
        return NULL;
    queue->first = call->next;
    if (queue->first == NULL)
        queue->end = &queue->first;
    return call;
}

struct calls *calls_new(const struct calls_setup *setup)
{
    struct calls *calls = calloc(1, sizeof(*calls));
    if (calls == NULL)
        return NULL;
    atomic_init(&calls->references, 1);
    calls->setup = *setup;
    if (calls->setup.max_calls == 0 || calls->setup.max_calls > MAX_CALLS)
        calls->setup.max_calls = MAX_CALLS;
    calls->ring = ring_hold(setup->request->ring);
    snprintf(calls->run_id, sizeof(calls->run_id), "%016llx",
             (unsigned long long)(clock_now() ^ (uint64_t)(uintptr_t)calls << 20));
    pthread_mutex_init(&calls->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&calls->came_back, &attributes);
    pthread_condattr_destroy(&attributes);
    queue_init(&calls->waiting);
    queue_init(&calls->starting);
    queue_init(&calls->settled);
    calls->wake_fd = calls->epoll_fd = calls->timer_fd = -1;
    return calls;
}

static void close_fd(int fd)
{
    if (fd >= 0)
        close(fd);
}

void calls_free(struct calls *calls)
{
    if (calls == NULL || atomic_fetch_sub(&calls->references, 1) != 1)
        return;
    for (size_t i = 0; i < calls->entry_count; i++)
        free(calls->entries[i].error);
    free(calls->entries);
    close_fd(calls->wake_fd);
    close_fd(calls->epoll_fd);
    close_fd(calls->timer_fd);
    pawl_ring_free(calls->ring);
    pthread_cond_destroy(&calls->came_back);
    pthread_mutex_destroy(&calls->lock);
    free(calls);
}

/* --- The end ------------------------------------------------------------------------------- */

bool calls_set_end(struct calls *calls, uint32_t reason)
{
    unsigned none = PAWL_END_NONE;
    return atomic_compare_exchange_strong(&calls->end, &none, reason);
}

/* Whether the wall clock has run out. */
static bool is_late(const struct calls *calls)
{
    if (calls->setup.deadline == 0)
        return false;
    uint64_t now = clock_now(); /* in this order: see waited */
    uint64_t since = atomic_load(&calls->waiting_since);
    uint64_t excused = atomic_load(&calls->waited);
    if (since != 0 && now > since)
        excused += now - since;
    return now >= calls->setup.deadline + excused;
}

uint32_t calls_end(struct calls *calls)
{
    uint32_t end = atomic_load(&calls->end);
    if (end == PAWL_END_NONE) {
        if (cancel_is_set(calls->setup.cancels[0]) || cancel_is_set(calls->setup.cancels[1]))
            calls_set_end(calls, PAWL_END_ABORT);
        else if (is_late(calls))
            calls_set_end(calls, PAWL_END_DEADLINE);
        else
            return PAWL_END_NONE;
        end = atomic_load(&calls->end);
    }
    return end == CALLS_FINISHED ? PAWL_END_NONE : end;
}

/* --- Waking whoever waits for a settled call ----------------------------------------------- */

static void write_wake(const struct calls *calls)
{
    uint64_t one = 1;
    (void)!write(calls->wake_fd, &one, sizeof(one));
}

static void read_wake(const struct calls *calls)
{
    uint64_t count;
    (void)!read(calls->wake_fd, &count, sizeof(count));
}

/* Called with the lock held, as are all functions below that do not take it. */
static void wake(struct calls *calls)
{
    if (calls->epoll_fd >= 0)
        write_wake(calls);
    else if (calls->sleeping)
        calls->wake_due = true;
    calls->sleeping = false;
}

static int need_wake_fd(struct calls *calls)
{
    if (calls->wake_fd < 0)
        calls->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return calls->wake_fd < 0 ? PAWL_E_SYSTEM : PAWL_OK;
}

/* When a call times out; 0: never, as long as nothing changes. */
static uint64_t call_deadline(const struct pawl_call *call)
{
    return call->waiting ? 0 : call->deadline;
}

/* When the next running call times out, or the run does; 0: never, as long as nothing changes. */
static uint64_t next_deadline(const struct calls *calls)
{
    uint64_t earliest = 0;
    if (calls->setup.deadline != 0 && calls->waiting_count == 0)
        earliest = calls->setup.deadline + atomic_load(&calls->waited);
    for (unsigned i = 0; i < calls->running_count; i++) {
        uint64_t deadline = call_deadline(calls->running[i]);
        if (deadline != 0 && (earliest == 0 || deadline < earliest))
            earliest = deadline;
    }
    return earliest;
}

/* Keeps the timer of those who poll at the next deadline. */
static void set_timer(const struct calls *calls)
{
    if (calls->timer_fd < 0)
        return;
    uint64_t at = next_deadline(calls);
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
    if (calls->epoll_fd < 0 || calls->timer_fd < 0 || need_wake_fd(calls) != PAWL_OK ||
        watch(calls->epoll_fd, calls->wake_fd) != 0 || watch(calls->epoll_fd, calls->timer_fd) != 0)
        return PAWL_E_SYSTEM;
    for (int i = 0; i < 2; i++)
        if (calls->setup.cancels[i] != NULL &&
            watch(calls->epoll_fd, cancel_fd(calls->setup.cancels[i])) != 0)
            return PAWL_E_SYSTEM;
    set_timer(calls);
    if (calls->settled.first != NULL)
        write_wake(calls);
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

/* --- Events -------------------------------------------------------------------------------- */

static void show(const struct calls *calls, const struct pawl_event *event)
{
    const pawl_request *request = calls->setup.request;
    if (!calls->closed && request->event != NULL)
        request->event(event, request->event_data);
}

static void show_call(const struct calls *calls, uint32_t what, const struct pawl_call *call)
{
    struct pawl_event event = {
        .what = what, .status = call->status, .call = call->number, .name = call->full_name};
    show(calls, &event);
}

void calls_event_log(struct calls *calls, const char *text, size_t size)
{
    if (calls->setup.request->event == NULL)
        return;
    struct pawl_event event = {.what = PAWL_EVENT_LOG,
                               .text = {.data = text, .size = (uint32_t)size}};
    pthread_mutex_lock(&calls->lock);
    show(calls, &event);
    pthread_mutex_unlock(&calls->lock);
}

/* --- Settling ------------------------------------------------------------------------------ */

static struct call_entry *entry_of(const struct calls *calls, const struct pawl_call *call)
{
    return &calls->entries[call->id - 1];
}

/* Keeps why a call failed. A record without its reason is worth nothing: rather no result. */
static void record_error(struct calls *calls, struct call_entry *entry, const char *text,
                         size_t size)
{
    static const char too_much[] = "(the records of this run's errors are full)";
    if (calls->recorded + size > MAX_RECORDED_BYTES) {
        text = too_much;
        size = strlen(too_much);
    } else {
        calls->recorded += size;
    }
    entry->error = strndup(text, size);
    if (entry->error != NULL)
        return;
    calls->incomplete = true;
    calls_set_end(calls, PAWL_END_FAULT);
}

/* Writes down how a call came out. */
static void record(struct calls *calls, const struct pawl_call *call, uint64_t now)
{
    struct call_entry *entry = entry_of(calls, call);
    entry->record.status = call->status;
    entry->record.microseconds = call->started != 0 ? (now - call->started) / NS_PER_US : 0;
    if (call->status == PAWL_SETTLED_OK)
        entry->record.bytes = call->text_size;
    else if (entry->counted)
        record_error(calls, entry, call->text, call->text_size);
}

/* Keeps count of what a call holds. */
static void set_held(struct calls *calls, struct pawl_call *call, size_t bytes)
{
    calls->held += bytes - call->held;
    call->held = bytes;
}

/* Puts an answered call where `next` takes it. Its arguments have served their purpose. */
static void settle(struct calls *calls, struct pawl_call *call)
{
    call->state = CALL_SETTLED;
    record(calls, call, clock_now());
    call_drop_arguments(call);
    set_held(calls, call, call->text_lent ? 0 : call->text_size);
    if (call->status == PAWL_SETTLED_OK) {
        calls->bytes += call->text_size;
        if (calls->setup.max_bytes != 0 && calls->bytes > calls->setup.max_bytes)
            calls_set_end(calls, PAWL_END_BYTES);
    }
    if (entry_of(calls, call)->counted)
        show_call(calls, PAWL_EVENT_CALL_SETTLED, call);
    bool first = calls->settled.first == NULL;
    queue_push(&calls->settled, call);
    if (first)
        wake(calls);
}

static void start_waiting(struct calls *calls, struct pawl_call *call)
{
    call->waiting = true;
    call->wait_began = clock_now();
    if (calls->waiting_count++ == 0)
        atomic_store(&calls->waiting_since, call->wait_began);
    set_timer(calls);
}

static void stop_waiting(struct calls *calls, struct pawl_call *call)
{
    if (!call->waiting)
        return;
    uint64_t now = clock_now();
    call->waiting = false;
    if (call->deadline != 0)
        call->deadline += now - call->wait_began;
    if (--calls->waiting_count == 0) {
        atomic_fetch_add(&calls->waited, now - atomic_load(&calls->waiting_since));
        atomic_store(&calls->waiting_since, 0);
    }
    set_timer(calls);
    calls->wake_due |= calls->sleeping && calls->epoll_fd < 0; /* deadlines count again */
}

static void remove_running(struct calls *calls, struct pawl_call *call)
{
    stop_waiting(calls, call);
    unsigned i = 0;
    while (calls->running[i] != call)
        i++;
    calls->running[i] = calls->running[--calls->running_count];
    calls->in_flight--;
    if (calls->running_count == 0) {
        calls->exclusive = false;
        calls->busy += clock_now() - calls->busy_since;
    }
    set_timer(calls);
}

/* --- Running ------------------------------------------------------------------------------- */

static struct pawl_stage_call stage_view(const struct pawl_call *call)
{
    return ring_call(call->calls->run_id, call->number, call->full_name, call->namespace_name,
                     call->function_name, call->arguments, call->arguments_size);
}

static void leave(struct calls *calls);

/* A stage begins or ends to wait for somebody. No lock is held. */
static void on_waiting(void *context, bool begins)
{
    struct pawl_call *call = context;
    struct calls *calls = call->calls;
    pthread_mutex_lock(&calls->lock);
    if (!begins)
        stop_waiting(calls, call);
    else if (call->state == CALL_RUNNING)
        start_waiting(calls, call);
    leave(calls);
}

/* Has the ring judge a call; false: it was answered instead. No lock is held. */
static bool judge(struct pawl_call *call)
{
    if (call->calls->ring == NULL)
        return true;
    struct pawl_stage_call view = stage_view(call);
    if (ring_waits(call->calls->ring))
        view.cancel_fd = pawl_call_cancel_fd(call);
    const struct ring_watch watch = {on_waiting, call};
    struct buffer why BUFFER_CLEANUP = {0};
    int pending;
    uint32_t verdict = ring_judge(call->calls->ring, &view, &watch, &why, &call->passage, &pending);
    if (verdict == PAWL_SETTLED_OK)
        return true;
    ring_settled(call->calls->ring, &view, &call->passage, PAWL_OUTCOME_STOPPED, 0, 0);
    call_answer_buffer(call, verdict, &why,
                       verdict == PAWL_SETTLED_DENIED ? "stage_denied" : "stage_failed");
    return false;
}

/* The stages that allowed it are told how a call came out. No lock is held. */
static void tell_ring(const struct pawl_call *call, uint32_t outcome)
{
    if (call->calls->ring == NULL)
        return;
    struct pawl_stage_call view = stage_view(call);
    uint64_t bytes = outcome == PAWL_OUTCOME_OK ? call->text_size : 0;
    ring_settled(call->calls->ring, &view, &call->passage, outcome, bytes,
                 (clock_now() - call->started) / NS_PER_US);
}

static void tell_main(void *argument)
{
    struct pawl_call *call = argument;
    struct calls *calls = call->calls;
    tell_ring(call, call->outcome);
    call_release(call);
    calls_free(calls);
}

/* Leaves a running call to its worker, which may never come back. The ring is told now, but on
 * another thread: a stage may be busy with another call for as long as it likes, and neither the
 * program nor the end of the run can wait for that. */
static void abandon(struct pawl_call *call, uint32_t outcome)
{
    struct calls *calls = call->calls;
    call->state = CALL_ABANDONED;
    call->outcome = outcome;
    if (!call->judged || calls->ring == NULL)
        return;
    call_hold(call);
    atomic_fetch_add(&calls->references, 1);
    if (workers_submit(calls->setup.workers, tell_main, call) == PAWL_OK) {
        call->judged = false;
    } else { /* then its worker tells, once it is back */
        call_release(call);
        atomic_fetch_sub(&calls->references, 1);
    }
}

static void start_ready(struct calls *calls);

/* A worker has done with a call: it settles, unless nobody waits for it any more. */
static void come_back(struct pawl_call *call)
{
    struct calls *calls = call->calls;
    pthread_mutex_lock(&calls->lock);
    if (call->state == CALL_RUNNING) {
        remove_running(calls, call);
        settle(calls, call);
        start_ready(calls);
        pthread_cond_signal(&calls->came_back);
    }
    leave(calls);
    call_release(call);
    calls_free(calls);
}

/* Whether the host function may be called now that the ring has allowed it. */
static bool may_go_on(struct pawl_call *call)
{
    struct calls *calls = call->calls;
    pthread_mutex_lock(&calls->lock);
    bool wanted =
        call->state == CALL_RUNNING && !calls->closed && calls_end(calls) == PAWL_END_NONE;
    call->judged = true;
    if (wanted)
        show_call(calls, PAWL_EVENT_CALL_STARTED, call);
    pthread_mutex_unlock(&calls->lock);
    return wanted;
}

/* Whether it still falls to this worker to tell the ring, and what: the end of the call's own time
 * or of the run may have come first. */
static bool claim_telling(struct pawl_call *call, uint32_t *outcome)
{
    pthread_mutex_lock(&call->calls->lock);
    bool mine = call->judged;
    call->judged = false;
    if (call->state == CALL_ABANDONED)
        *outcome = call->outcome;
    pthread_mutex_unlock(&call->calls->lock);
    return mine;
}

/* Has a call judged, makes it if it may be made, and answers it. No lock is held. */
static void serve(struct pawl_call *call)
{
    if (!judge(call))
        return;
    uint32_t outcome = PAWL_OUTCOME_ABANDONED;
    if (may_go_on(call)) {
        if (call->function != NULL)
            call->function(call, call->data);
        call_answer_if_none(call);
        outcome = call->status == PAWL_SETTLED_OK ? PAWL_OUTCOME_OK : PAWL_OUTCOME_ERROR;
    } else {
        call_answer_text(call, PAWL_SETTLED_ERROR, "tool_error", ended_before_call);
    }
    if (claim_telling(call, &outcome))
        tell_ring(call, outcome);
}

static void call_main(void *argument)
{
    struct pawl_call *call = argument;
    serve(call);
    come_back(call);
}

/* Starts what can start: in order, nothing overtakes. */
static void start_ready(struct calls *calls)
{
    uint32_t limit = calls->closed ? 0 : calls->setup.request->concurrency;
    if (limit == 0)
        limit = DEFAULT_CONCURRENCY;
    while (!calls->closed && calls->waiting.first != NULL && !calls->exclusive &&
           calls->running_count < (calls->waiting.first->concurrent ? limit : 1)) {
        struct pawl_call *call = queue_pop(&calls->waiting);
        calls->exclusive = !call->concurrent;
        call->state = CALL_RUNNING;
        call->started = clock_now();
        call->deadline = clock_after(call->started, call->timeout);
        if (calls->running_count == 0)
            calls->busy_since = call->started;
        calls->running[calls->running_count++] = call;
        set_timer(calls);
        call_hold(call); /* the worker's, and its hold on the calls */
        atomic_fetch_add(&calls->references, 1);
        queue_push(&calls->starting, call);
    }
}

/* Settles a call that no worker could be found for. */
static void could_not_start(struct pawl_call *call, int status)
{
    struct calls *calls = call->calls;
    pthread_mutex_lock(&calls->lock);
    if (call->state == CALL_RUNNING) {
        call_answer_text(call, PAWL_SETTLED_ERROR, "tool_error",
                         status == PAWL_E_LIMIT ? "too many host functions have not come back"
                                                : "the host cannot start a thread for the call");
        remove_running(calls, call);
        settle(calls, call);
        start_ready(calls);
    }
    pthread_mutex_unlock(&calls->lock);
    call_release(call);
    atomic_fetch_sub(&calls->references, 1); /* never the last: the caller has one */
}

/* Unlocks, and only then wakes threads that would want the lock at once. */
static void leave(struct calls *calls)
{
    bool again;
    do {
        again = false;
        struct pawl_call *call = calls->starting.first;
        queue_init(&calls->starting);
        bool wake_now = calls->wake_due;
        calls->wake_due = false;
        pthread_mutex_unlock(&calls->lock);
        if (wake_now)
            write_wake(calls);
        while (call != NULL) {
            struct pawl_call *following = call->next;
            int status = workers_submit(calls->setup.workers, call_main, call);
            if (status != PAWL_OK) {
                could_not_start(call, status);
                again = true;
            }
            call = following;
        }
        if (again)
            pthread_mutex_lock(&calls->lock);
    } while (again);
}

/* --- Beginning ----------------------------------------------------------------------------- */

static int add_entry(struct calls *calls, const struct binding *binding, uint64_t *id)
{
    if (calls->entry_count == calls->entry_capacity) {
        size_t capacity = calls->entry_capacity == 0 ? 16 : calls->entry_capacity * 2;
        struct call_entry *grown = realloc(calls->entries, capacity * sizeof(*grown));
        if (grown == NULL)
            return PAWL_E_MEMORY;
        calls->entries = grown;
        calls->entry_capacity = capacity;
    }
    calls->entries[calls->entry_count] = (struct call_entry){.binding = binding->view.index};
    *id = ++calls->entry_count;
    return PAWL_OK;
}

/* Whether the answer is known and no gate needs another thread to judge: then none is used. */
static bool settles_at_once(const struct calls *calls, const struct binding *binding)
{
    return binding->function == NULL && (calls->ring == NULL || ring_is_prompt(calls->ring));
}

/* Gives a call its number, or refuses it. */
static int enter(struct calls *calls, struct pawl_call *call, const struct binding *binding)
{
    bool refused = call->answered; /* its arguments were */
    if (calls->entry_count >= MAX_CALLS || (!refused && calls->counted >= calls->setup.max_calls)) {
        calls_set_end(calls, PAWL_END_CALLS);
        return PAWL_E_ENDED;
    }
    int status = add_entry(calls, binding, &call->id);
    if (status != PAWL_OK)
        return status;
    if (!refused) {
        call->number = ++calls->counted;
        entry_of(calls, call)->counted = true;
        if (calls->in_flight >= MAX_IN_FLIGHT ||
            calls->held + call->arguments_size > MAX_HELD_BYTES)
            call_answer_text(call, PAWL_SETTLED_ERROR, "tool_error",
                             "too many calls are in flight: await some of them first");
        else if (!settles_at_once(calls, binding) && need_wake_fd(calls) != PAWL_OK)
            call_answer_text(call, PAWL_SETTLED_ERROR, "tool_error",
                             "the host has no file descriptor left for the call");
    }
    if (call->answered)
        settle(calls, call);
    return PAWL_OK;
}

/* Turns positional arguments into what the host function gets, or answers the call. */
static int bind_arguments(struct pawl_call *call, const struct binding *binding,
                          const char *arguments, size_t size)
{
    struct buffer bound BUFFER_CLEANUP = {0};
    struct buffer why BUFFER_CLEANUP = {0};
    int status = signature_bind(binding->has_signature ? &binding->signature : NULL,
                                binding->signature_text, arguments, size, &bound, &why);
    if (status == PAWL_E_ARGUMENT) {
        struct buffer message BUFFER_CLEANUP = {0};
        buffer_format(&message, "%s: %s", call->full_name, why.data != NULL ? why.data : "");
        call_answer_buffer(call, PAWL_SETTLED_ERROR, &message, "bad_arguments");
        return PAWL_OK;
    }
    if (status != PAWL_OK)
        return PAWL_E_MEMORY;
    call->arguments_size = bound.size;
    call->arguments = buffer_take(&bound);
    return PAWL_OK;
}

int calls_begin(struct calls *calls, uint32_t function, const char *arguments, size_t size,
                uint64_t *id)
{
    if (calls_end(calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    const pawl_request *request = calls->setup.request;
    if (function >= request->binding_count || !json_check(arguments, size, NULL) ||
        json_first(arguments, size) != '[')
        return PAWL_E_ARGUMENT;
    const struct binding *binding = request->bindings[function];
    struct pawl_call *call = call_new(calls, binding);
    if (call == NULL)
        return PAWL_E_MEMORY;
    int status = bind_arguments(call, binding, arguments, size);
    if (status != PAWL_OK) {
        call_release(call);
        return status;
    }

    pthread_mutex_lock(&calls->lock);
    status = enter(calls, call, binding);
    *id = call->id;
    bool at_once = status == PAWL_OK && !call->answered && settles_at_once(calls, binding);
    if (status == PAWL_OK && !call->answered && !at_once) {
        calls->in_flight++;
        set_held(calls, call, call->arguments_size);
        queue_push(&calls->waiting, call);
        start_ready(calls);
    }
    leave(calls);

    if (status != PAWL_OK) {
        call_release(call);
    } else if (at_once) {
        call->started = clock_now();
        call->state = CALL_RUNNING;
        serve(call);
        pthread_mutex_lock(&calls->lock);
        settle(calls, call);
        pthread_mutex_unlock(&calls->lock);
    }
    return status;
}

/* --- Taking what has settled --------------------------------------------------------------- */

/* Settles calls whose own time ran out; their workers are left behind. */
static void expire(struct calls *calls)
{
    uint64_t now = clock_now();
    for (unsigned i = 0; i < calls->running_count;) {
        struct pawl_call *call = calls->running[i];
        uint64_t deadline = call_deadline(call);
        if (deadline == 0 || now < deadline) {
            i++;
            continue;
        }
        call_cancel(call);
        remove_running(calls, call);
        struct pawl_call *answer = call_new_timeout(call);
        entry_of(calls, call)->record.abandoned = 1;
        set_held(calls, call, 0);
        abandon(call, PAWL_OUTCOME_ERROR);
        call_release(call);
        if (answer == NULL)
            calls_set_end(calls, PAWL_END_FAULT);
        else
            settle(calls, answer);
    }
    start_ready(calls);
}

/* Milliseconds for poll(2) until `at`, rounded up so that it is over when poll returns. */
static int poll_time(uint64_t at, uint64_t now)
{
    uint64_t left = at > now ? (at - now + NS_PER_MS - 1) / NS_PER_MS : 0;
    return left > 3600000 ? 3600000 : (int)left;
}

/* Waits for something to happen, at most until `until` (0: no end). The lock is released meanwhile.
 */
static void wait_for_change(struct calls *calls, uint64_t until)
{
    uint64_t now = clock_now();
    uint64_t deadline = next_deadline(calls);
    int time = -1;
    if (deadline != 0)
        time = poll_time(deadline, now);
    if (until != 0 && (time < 0 || poll_time(until, now) < time))
        time = poll_time(until, now);
    struct pollfd fds[3] = {{.fd = calls->wake_fd, .events = POLLIN}};
    nfds_t count = 1;
    for (int i = 0; i < 2; i++)
        if (calls->setup.cancels[i] != NULL)
            fds[count++] =
                (struct pollfd){.fd = cancel_fd(calls->setup.cancels[i]), .events = POLLIN};
    calls->sleeping = true;
    leave(calls);
    int ready = poll(fds, count, time);
    /* A worker may have been about to write when the poll ended for another reason; then the next
     * one ends at once, and here. */
    if (ready > 0 && fds[0].revents != 0 && calls->epoll_fd < 0)
        read_wake(calls);
    pthread_mutex_lock(&calls->lock);
    calls->sleeping = false;
}

static int take(struct calls *calls, struct pawl_settlement *settlement)
{
    struct pawl_call *call = queue_pop(&calls->settled);
    if (calls->settled.first == NULL && calls->epoll_fd >= 0)
        read_wake(calls);
    calls->taken = call;
    set_held(calls, call, 0);
    settlement->id = call->id;
    settlement->status = call->status;
    settlement->text = (struct pawl_text){.data = call->text, .size = (uint32_t)call->text_size};
    settlement->code = call->code;
    return PAWL_OK;
}

static int next_settled(struct calls *calls, uint64_t until, bool wait,
                        struct pawl_settlement *settlement)
{
    for (;;) {
        if (calls_end(calls) != PAWL_END_NONE)
            return PAWL_E_ENDED;
        if (calls->settled.first == NULL)
            expire(calls);
        if (calls->settled.first != NULL)
            return take(calls, settlement);
        if (calls->in_flight == 0)
            return PAWL_E_STATE;
        if (calls->epoll_fd >= 0)
            read_wake(calls); /* nothing is settled: whoever polls must not be told so again */
        if (!wait || (until != 0 && clock_now() >= until))
            return PAWL_E_TIMEOUT;
        wait_for_change(calls, until);
    }
}

int calls_next(struct calls *calls, int32_t timeout, struct pawl_settlement *settlement)
{
    uint64_t until = timeout > 0 ? clock_now() + (uint64_t)timeout * NS_PER_MS : 0;
    pthread_mutex_lock(&calls->lock);
    struct pawl_call *before = calls->taken;
    calls->taken = NULL;
    int status = next_settled(calls, until, timeout != 0, settlement);
    leave(calls);
    call_release(before);
    return status;
}

uint32_t calls_status(struct calls *calls, uint64_t id)
{
    pthread_mutex_lock(&calls->lock);
    uint32_t status =
        id == 0 || id > calls->entry_count ? PAWL_SETTLED_OK : calls->entries[id - 1].record.status;
    pthread_mutex_unlock(&calls->lock);
    return status;
}

/* --- Closing ------------------------------------------------------------------------------- */

/* Writes down that a call came to nothing. */
static void record_end(struct calls *calls, const struct pawl_call *call, const char *why)
{
    struct call_entry *entry = entry_of(calls, call);
    entry->record.status = PAWL_SETTLED_ERROR;
    entry->record.microseconds = call->started != 0 ? (clock_now() - call->started) / NS_PER_US : 0;
    record_error(calls, entry, why, strlen(why));
}

/* Waits for those who were told, as long as the grace lasts. */
static void wait_for_running(struct calls *calls)
{
    uint64_t until = clock_now() + GRACE_MS * NS_PER_MS;
    struct timespec at = {.tv_sec = (time_t)(until / 1000000000ull),
                          .tv_nsec = (long)(until % 1000000000ull)};
    while (calls->running_count > 0 &&
           pthread_cond_timedwait(&calls->came_back, &calls->lock, &at) == 0)
        ;
}

/* Leaves behind what still runs. */
static void leave_behind(struct calls *calls)
{
    while (calls->running_count > 0) {
        struct pawl_call *call = calls->running[0];
        remove_running(calls, call);
        record_end(calls, call, "the run ended before the function came back");
        entry_of(calls, call)->record.abandoned = 1;
        abandon(call, PAWL_OUTCOME_ABANDONED);
        call_release(call);
    }
}

/* Copies the names of the bindings that were called, since the request may go before the result. */
static int copy_names(const struct calls *calls, pawl_result *result)
{
    const pawl_request *request = calls->setup.request;
    result->names = calloc(request->binding_count, sizeof(*result->names));
    if (result->names == NULL)
        return PAWL_E_MEMORY;
    result->name_count = request->binding_count;
    for (size_t i = 0; i < calls->entry_count; i++) {
        uint32_t binding = calls->entries[i].binding;
        if (calls->entries[i].counted && result->names[binding] == NULL &&
            (result->names[binding] = strdup(request->bindings[binding]->full_name)) == NULL)
            return PAWL_E_MEMORY;
    }
    return PAWL_OK;
}

/* Moves the records of what counted as calls into the result. */
static int move_records(struct calls *calls, pawl_result *result)
{
    if (calls->incomplete)
        return PAWL_E_MEMORY;
    if (calls->entry_count == 0)
        return PAWL_OK;
    if (copy_names(calls, result) != PAWL_OK)
        return PAWL_E_MEMORY;
    size_t kept = 0;
    for (size_t i = 0; i < calls->entry_count; i++) {
        struct call_entry entry = calls->entries[i];
        if (!entry.counted) {
            free(entry.error);
            continue;
        }
        entry.record.name = result->names[entry.binding];
        entry.record.error = entry.error;
        calls->entries[kept++] = entry;
    }
    result->calls = calls->entries;
    result->call_count = kept;
    calls->entries = NULL;
    calls->entry_count = 0;
    return PAWL_OK;
}

int calls_close(struct calls *calls, pawl_result *result)
{
    pthread_mutex_lock(&calls->lock);
    calls_set_end(calls, CALLS_FINISHED);
    calls->closed = true;
    struct pawl_call *call;
    while ((call = queue_pop(&calls->waiting)) != NULL) {
        record_end(calls, call, ended_before_call);
        call_release(call);
    }
    for (unsigned i = 0; i < calls->running_count; i++)
        call_cancel(calls->running[i]);
    wait_for_running(calls);
    leave_behind(calls);
    while ((call = queue_pop(&calls->settled)) != NULL)
        call_release(call);
    call_release(calls->taken);
    calls->taken = NULL;
    result->calls_counted = calls->counted;
    result->bytes = calls->bytes;
    result->waiting_us = atomic_load(&calls->waited) / NS_PER_US;
    result->calls_us = calls->busy / NS_PER_US - result->waiting_us;
    int status = move_records(calls, result);
    pthread_mutex_unlock(&calls->lock);
    return status;
}
