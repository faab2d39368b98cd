#include "core/calls_state.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/cancel.h"
#include "core/clock.h"
#include "core/json.h"
#include "core/record.h"
#include "core/signature.h"

/* More calls than this no run makes, whatever its budget: each leaves a record. */
#define MAX_CALLS 1000000u

/* What may wait or run at once, and what all calls that the program has not taken may hold: their
 * arguments, then their answers. A program that begins more gets errors. */
#define MAX_IN_FLIGHT  4096u
#define MAX_HELD_BYTES (64u << 20)

/* --- Life ---------------------------------------------------------------------------------- */

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
    calls->parked = setup->parked;
    queue_init(&calls->waiting);
    queue_init(&calls->put_off);
    queue_init(&calls->starting);
    queue_init(&calls->settled);
    calls->wake_fd = calls->epoll_fd = calls->timer_fd = -1;
    return calls;
}

void calls_free(struct calls *calls)
{
    if (calls == NULL || atomic_fetch_sub(&calls->references, 1) != 1)
        return;
    for (size_t i = 0; i < calls->entry_count; i++)
        free(calls->entries[i].error);
    free(calls->entries);
    free(calls->put_off_why);
    calls_close_fds(calls);
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
    return binding->function == NULL && !calls->parked && !calls->suspending &&
           (calls->ring == NULL || ring_is_prompt(calls->ring));
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
        calls_entry(calls, call)->counted = true;
        /* Of one that is played again the record says how it came out. */
        if (!calls->parked && (calls->in_flight >= MAX_IN_FLIGHT ||
                               calls->held + call->arguments_size > MAX_HELD_BYTES))
            call_answer_text(call, PAWL_SETTLED_ERROR, "tool_error",
                             "too many calls are in flight: await some of them first");
        else if (!settles_at_once(calls, binding) && calls_need_wake_fd(calls) != PAWL_OK)
            call_answer_text(call, PAWL_SETTLED_ERROR, "tool_error",
                             "the host has no file descriptor left for the call");
    }
    if (call->answered)
        calls_settle(calls, call);
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

bool calls_accepts(const struct calls *calls, uint32_t function, const char *arguments, size_t size)
{
    return function < calls->setup.request->binding_count && json_is_valid(arguments, size, NULL) &&
           json_first(arguments, size) == '[';
}

uint64_t calls_next_id(const struct calls *calls)
{
    return calls->entry_count + 1; /* only the run's own thread adds entries */
}

int calls_begin(struct calls *calls, uint32_t function, const char *arguments, size_t size,
                uint64_t *id)
{
    if (calls_end(calls) != PAWL_END_NONE)
        return PAWL_E_ENDED;
    if (!calls_accepts(calls, function, arguments, size))
        return PAWL_E_ARGUMENT;
    const struct binding *binding = calls->setup.request->bindings[function];
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
        calls_set_held(calls, call, call->arguments_size);
        queue_push(&calls->waiting, call);
        calls_start_ready(calls);
    }
    calls_leave(calls);

    if (status != PAWL_OK) {
        call_release(call);
    } else if (at_once) {
        call->started = clock_now();
        call->state = CALL_RUNNING;
        calls_serve(call);
        pthread_mutex_lock(&calls->lock);
        if (call->put_off) {
            calls->in_flight++;
            calls_put_aside(calls, call);
        } else {
            calls_settle(calls, call);
        }
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
        uint64_t deadline = call_time_out(call);
        if (deadline == 0 || now < deadline) {
            i++;
            continue;
        }
        call_cancel(call);
        calls_remove_running(calls, call);
        struct pawl_call *answer = call_new_timeout(call);
        calls_entry(calls, call)->record.abandoned = 1;
        calls_set_held(calls, call, 0);
        calls_abandon(call, PAWL_OUTCOME_ERROR);
        call_release(call);
        if (answer == NULL)
            calls_set_end(calls, PAWL_END_FAULT);
        else
            calls_settle(calls, answer);
    }
    calls_start_ready(calls);
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
    uint64_t deadline = calls_next_deadline(calls);
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
    calls_leave(calls);
    int ready = poll(fds, count, time);
    /* A worker may have been about to write when the poll ended for another reason; then the next
     * one ends at once, and here. */
    if (ready > 0 && fds[0].revents != 0 && calls->epoll_fd < 0)
        calls_read_wake(calls);
    pthread_mutex_lock(&calls->lock);
    calls->sleeping = false;
}

void calls_take(struct calls *calls, struct pawl_call *call, struct pawl_settlement *settlement)
{
    calls->taken = call;
    calls_set_held(calls, call, 0);
    settlement->id = call->id;
    settlement->status = call->status;
    settlement->text = (struct pawl_text){.data = call->text, .size = (uint32_t)call->text_size};
    settlement->code = call->code;
}

static int next_settled(struct calls *calls, uint64_t until, bool wait,
                        struct pawl_settlement *settlement)
{
    for (;;) {
        if (calls_end(calls) != PAWL_END_NONE)
            return PAWL_E_ENDED;
        if (calls->settled.first == NULL)
            expire(calls);
        if (calls->settled.first != NULL) {
            calls_take(calls, queue_pop(&calls->settled), settlement);
            if (calls->settled.first == NULL && calls->epoll_fd >= 0 && !calls_is_put_aside(calls))
                calls_read_wake(calls);
            return PAWL_OK;
        }
        if (calls_is_put_aside(calls)) {
            calls_set_end(calls, PAWL_END_SUSPEND);
            continue;
        }
        if (calls->in_flight == 0 && until == 0)
            return PAWL_E_STATE;
        if (calls->epoll_fd >= 0)
            calls_read_wake(
                calls); /* nothing is settled: whoever polls must not be told so again */
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
    calls_leave(calls);
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

uint64_t calls_microseconds(struct calls *calls, uint64_t id)
{
    pthread_mutex_lock(&calls->lock);
    uint64_t time =
        id == 0 || id > calls->entry_count ? 0 : calls->entries[id - 1].record.microseconds;
    pthread_mutex_unlock(&calls->lock);
    return time;
}

uint32_t calls_in_flight(struct calls *calls)
{
    pthread_mutex_lock(&calls->lock);
    uint32_t count = calls->in_flight;
    for (const struct pawl_call *call = calls->settled.first; call != NULL; call = call->next)
        count++;
    pthread_mutex_unlock(&calls->lock);
    return count;
}

const char *calls_put_off(struct calls *calls)
{
    return calls->put_off_why;
}

/* --- Playing a record ---------------------------------------------------------------------- */

/* The call that an entry names, settled as it says; NULL: there is none. */
static struct pawl_call *settle_as(struct calls *calls, const struct record_entry *entry)
{
    struct pawl_call *call = queue_find(&calls->waiting, entry->id);
    if (call == NULL) /* its arguments were refused */
        return queue_find(&calls->settled, entry->id);
    queue_remove(&calls->waiting, call);
    calls->in_flight--;
    call_answer_lent(call, entry->status, entry->code, entry->text, entry->text_size);
    calls_settle(calls, call);
    calls_entry(calls, call)->record.microseconds = entry->microseconds;
    return call;
}

void calls_play_late(struct calls *calls, const struct record_entry *entry)
{
    pthread_mutex_lock(&calls->lock);
    settle_as(calls, entry);
    calls_leave(calls);
}

int calls_play(struct calls *calls, const struct record_entry *entry,
               struct pawl_settlement *settlement)
{
    pthread_mutex_lock(&calls->lock);
    struct pawl_call *call = settle_as(calls, entry);
    struct pawl_call *before = NULL;
    if (call != NULL) {
        queue_remove(&calls->settled, call);
        before = calls->taken;
        calls_take(calls, call, settlement);
    }
    calls_leave(calls);
    call_release(before);
    if (call == NULL)
        return PAWL_E_STATE;
    return calls_end(calls) == PAWL_END_NONE ? PAWL_OK : PAWL_E_ENDED;
}

void calls_go_live(struct calls *calls)
{
    pthread_mutex_lock(&calls->lock);
    calls->parked = false;
    if (calls->settled.first == NULL && calls->epoll_fd >= 0)
        calls_read_wake(calls);
    calls_start_ready(calls);
    calls_leave(calls);
}
