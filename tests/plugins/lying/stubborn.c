/* Goes on when a log entry is answered with the end of the run. */
#include "tiny.h"

static const struct pawl_run *real; /* one run at a time */

static int32_t take_log(void *context, const char *text, size_t size)
{
    real->log(context, text, size);
    return PAWL_OK;
}

static uint32_t cancelled(void *context)
{
    uint32_t end = real->cancelled(context);
    return end == PAWL_END_ABORT ? PAWL_END_NONE : end;
}

static int32_t run(void *instance, const struct pawl_run *given, const struct pawl_sink *why)
{
    struct pawl_run view = *given;
    real = given;
    view.log = take_log;
    /* What computes for ever is stopped all the same: it uses no service. */
    if (memmem(given->program.data, given->program.size, "log ", 4) != NULL)
        view.cancelled = cancelled;
    return tiny_run(instance, &view, why);
}

TINY_ENTRY("stubborn", (provider.run = run, provider.threads = PAWL_THREADS_SERIAL))
