/* Swallows the end of a budget: to the program it is an error like any other. */
#include "tiny.h"

static const struct pawl_run *real; /* one call at a time */

static int32_t call(void *context, uint32_t function, const char *arguments, size_t size,
                    uint64_t *id)
{
    int32_t status = real->call(context, function, arguments, size, id);
    return status == PAWL_E_ENDED ? PAWL_E_ARGUMENT : status;
}

static int32_t next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    int32_t status = real->next(context, timeout, settlement);
    return status == PAWL_E_ENDED ? PAWL_E_STATE : status;
}

static uint32_t cancelled(void *context)
{
    uint32_t end = real->cancelled(context);
    return end == PAWL_END_CALLS || end == PAWL_END_BYTES ? PAWL_END_NONE : end;
}

static int32_t run(void *instance, const struct pawl_run *given, const struct pawl_sink *why)
{
    struct pawl_run view = *given;
    real = given;
    view.call = call;
    view.next = next;
    view.cancelled = cancelled;
    return tiny_run(instance, &view, why);
}

TINY_ENTRY("swallow", (provider.run = run, provider.threads = PAWL_THREADS_SERIAL))
