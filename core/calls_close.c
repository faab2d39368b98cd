#include "core/calls_state.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"

/* How long the end of a run waits for host functions that were told of it. */
#define GRACE_MS 100

static void tell_late(const struct calls *calls, const struct pawl_settlement *settlement)
{
    calls->late(calls->late_context, settlement,
                calls->entries[settlement->id - 1].record.microseconds);
}

/* Drops what settled and was not taken. */
static void drop_settled(struct calls *calls)
{
    struct pawl_call *call;
    while ((call = queue_pop(&calls->settled)) != NULL) {
        struct pawl_settlement settlement = {.header = PAWL_HEADER(SETTLEMENT, settlement)};
        call_release(calls->taken);
        calls_take(calls, call, &settlement);
        tell_late(calls, &settlement);
    }
    call_release(calls->taken);
    calls->taken = NULL;
}

/* Writes down that a call came to nothing. */
static void record_end(struct calls *calls, const struct pawl_call *call, const char *why)
{
    struct call_entry *entry = calls_entry(calls, call);
    entry->record.status = call->put_off ? PAWL_SETTLED_DENIED : PAWL_SETTLED_ERROR;
    entry->record.microseconds = call->started != 0 ? (clock_now() - call->started) / NS_PER_US : 0;
    calls_record_error(calls, entry, why, strlen(why));
    if (!call->put_off)
        tell_late(calls, &(struct pawl_settlement){
                             .header = PAWL_HEADER(SETTLEMENT, struct pawl_settlement),
                             .id = call->id,
                             .status = PAWL_SETTLED_ERROR,
                             .code = "tool_error",
                             .text = {.data = why, .size = (uint32_t)strlen(why)},
                         });
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
        calls_remove_running(calls, call);
        record_end(calls, call, "the run ended before the function came back");
        calls_entry(calls, call)->record.abandoned = 1;
        calls_abandon(call, PAWL_OUTCOME_ABANDONED);
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

int calls_close(struct calls *calls, pawl_result *result, calls_late late, void *context)
{
    pthread_mutex_lock(&calls->lock);
    calls->late = late;
    calls->late_context = context;
    calls_set_end(calls, CALLS_FINISHED);
    calls->closed = true;
    struct pawl_call *call;
    while ((call = queue_pop(&calls->waiting)) != NULL) {
        record_end(calls, call, calls_ended_before);
        call_release(call);
    }
    for (unsigned i = 0; i < calls->running_count; i++)
        call_cancel(calls->running[i]);
    wait_for_running(calls);
    leave_behind(calls);
    while ((call = queue_pop(&calls->put_off)) != NULL) { /* some may just have come back */
        record_end(calls, call, "it is not decided yet");
        call_release(call);
    }
    drop_settled(calls);
    result->calls_counted = calls->counted;
    result->bytes = calls->bytes;
    result->waiting_us = atomic_load(&calls->waited) / NS_PER_US;
    result->calls_us = calls->busy / NS_PER_US - result->waiting_us;
    int status = move_records(calls, result);
    pthread_mutex_unlock(&calls->lock);
    return status;
}
