#include "core/calls_state.h"

#include <stdlib.h>

#include "core/clock.h"
#include "core/workers.h"

#define DEFAULT_CONCURRENCY 8u

const char calls_ended_before[] = "the run ended before the call began";

static struct pawl_stage_call stage_view(const struct pawl_call *call)
{
    return ring_call(call->calls->run_id, call->number, call->full_name, call->namespace_name,
                     call->function_name, call->arguments, call->arguments_size);
}

/* A stage begins or ends to wait for somebody. No lock is held. */
static void on_waiting(void *context, bool begins)
{
    struct pawl_call *call = context;
    struct calls *calls = call->calls;
    pthread_mutex_lock(&calls->lock);
    if (!begins)
        calls_stop_waiting(calls, call);
    else if (call->state == CALL_RUNNING)
        calls_start_waiting(calls, call);
    calls_leave(calls);
}

/* Lets a call be decided later; false: nobody has asked for that any more, or there is no memory
 * to say which call it is. */
static bool put_off(struct pawl_call *call, struct buffer *why)
{
    struct calls *calls = call->calls;
    char *text = why->failed == PAWL_OK ? buffer_take(why) : NULL;
    pthread_mutex_lock(&calls->lock);
    call->put_off = text != NULL && call->state == CALL_RUNNING;
    if (call->put_off && calls->put_off_why == NULL) {
        calls->put_off_why = text;
        text = NULL;
    }
    pthread_mutex_unlock(&calls->lock);
    free(text);
    return call->put_off;
}

/* Has the ring judge a call; false: it was answered or put off instead. No lock is held. */
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
    if (pending && call->calls->setup.can_suspend && put_off(call, &why))
        return false;
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
void calls_abandon(struct pawl_call *call, uint32_t outcome)
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

/* A worker has done with a call: it settles, unless nobody waits for it any more. */
static void come_back(struct pawl_call *call)
{
    struct calls *calls = call->calls;
    pthread_mutex_lock(&calls->lock);
    if (call->state == CALL_RUNNING) {
        calls_remove_running(calls, call);
        if (call->put_off) {
            calls->in_flight++; /* as when it was waiting */
            calls_put_aside(calls, call);
        } else {
            calls_settle(calls, call);
        }
        calls_start_ready(calls);
        pthread_cond_signal(&calls->came_back);
    }
    calls_leave(calls);
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
        calls_show(calls, PAWL_EVENT_CALL_STARTED, call);
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
void calls_serve(struct pawl_call *call)
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
        call_answer_text(call, PAWL_SETTLED_ERROR, "tool_error", calls_ended_before);
    }
    if (claim_telling(call, &outcome))
        tell_ring(call, outcome);
}

static void call_main(void *argument)
{
    struct pawl_call *call = argument;
    calls_serve(call);
    come_back(call);
}

/* Starts what can start: in order, nothing overtakes. */
void calls_start_ready(struct calls *calls)
{
    uint32_t limit = calls->closed ? 0 : calls->setup.request->concurrency;
    if (limit == 0)
        limit = DEFAULT_CONCURRENCY;
    while (!calls->closed && !calls->parked && !calls->suspending && calls->waiting.first != NULL &&
           !calls->exclusive &&
           calls->running_count < (calls->waiting.first->concurrent ? limit : 1)) {
        struct pawl_call *call = queue_pop(&calls->waiting);
        calls->exclusive = !call->concurrent;
        call->state = CALL_RUNNING;
        call->started = clock_now();
        call->deadline = clock_after(call->started, call->timeout);
        if (calls->running_count == 0)
            calls->busy_since = call->started;
        calls->running[calls->running_count++] = call;
        calls_set_timer(calls);
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
        calls_remove_running(calls, call);
        calls_settle(calls, call);
        calls_start_ready(calls);
    }
    pthread_mutex_unlock(&calls->lock);
    call_release(call);
    atomic_fetch_sub(&calls->references, 1); /* never the last: the caller has one */
}

void calls_leave(struct calls *calls)
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
            calls_write_wake(calls);
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
