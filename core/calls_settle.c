#include "core/calls_state.h"

#include <string.h>

#include "core/clock.h"

/* How much of why calls failed the records keep. */
#define MAX_RECORDED_BYTES (4u << 20)

static void show(const struct calls *calls, const struct pawl_event *event)
{
    const pawl_request *request = calls->setup.request;
    if (!calls->closed && request->event != NULL)
        request->event(event, request->event_data);
}

void calls_show(const struct calls *calls, uint32_t what, const struct pawl_call *call)
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

struct call_entry *calls_entry(const struct calls *calls, const struct pawl_call *call)
{
    return &calls->entries[call->id - 1];
}

/* Keeps why a call failed. A record without its reason is worth nothing: rather no result. */
void calls_record_error(struct calls *calls, struct call_entry *entry, const char *text,
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
    struct call_entry *entry = calls_entry(calls, call);
    entry->record.status = call->status;
    entry->record.microseconds = call->started != 0 ? (now - call->started) / NS_PER_US : 0;
    if (call->status == PAWL_SETTLED_OK)
        entry->record.bytes = call->text_size;
    else if (entry->counted)
        calls_record_error(calls, entry, call->text, call->text_size);
}

/* Keeps count of what a call holds. */
void calls_set_held(struct calls *calls, struct pawl_call *call, size_t bytes)
{
    calls->held += bytes - call->held;
    call->held = bytes;
}

/* Puts an answered call where `next` takes it. Its arguments have served their purpose. */
void calls_settle(struct calls *calls, struct pawl_call *call)
{
    call->state = CALL_SETTLED;
    record(calls, call, clock_now());
    call_drop_arguments(call);
    calls_set_held(calls, call, call->text_lent ? 0 : call->text_size);
    if (call->status == PAWL_SETTLED_OK) {
        calls->bytes += call->text_size;
        if (calls->setup.max_bytes != 0 && calls->bytes > calls->setup.max_bytes)
            calls_set_end(calls, PAWL_END_BYTES);
    }
    if (calls_entry(calls, call)->counted)
        calls_show(calls, PAWL_EVENT_CALL_SETTLED, call);
    bool first = calls->settled.first == NULL;
    queue_push(&calls->settled, call);
    if (first)
        calls_wake(calls);
}

/* A call that a stage will decide later waits for the run to be suspended. */
void calls_put_aside(struct calls *calls, struct pawl_call *call)
{
    call->state = CALL_WAITING;
    calls->suspending = true;
    queue_push(&calls->put_off, call);
    if (calls_is_put_aside(calls)) /* otherwise there is nothing to be taken yet */
        calls_wake(calls);
}

void calls_start_waiting(struct calls *calls, struct pawl_call *call)
{
    call->waiting = true;
    call->wait_began = clock_now();
    if (calls->waiting_count++ == 0)
        atomic_store(&calls->waiting_since, call->wait_began);
    calls_set_timer(calls);
}

void calls_stop_waiting(struct calls *calls, struct pawl_call *call)
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
    calls_set_timer(calls);
    calls->wake_due |= calls->sleeping && calls->epoll_fd < 0; /* deadlines count again */
}

void calls_remove_running(struct calls *calls, struct pawl_call *call)
{
    calls_stop_waiting(calls, call);
    unsigned i = 0;
    while (calls->running[i] != call)
        i++;
    calls->running[i] = calls->running[--calls->running_count];
    calls->in_flight--;
    if (calls->running_count == 0) {
        calls->exclusive = false;
        calls->busy += clock_now() - calls->busy_since;
    }
    calls_set_timer(calls);
}
