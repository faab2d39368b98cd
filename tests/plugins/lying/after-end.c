/* Goes on after it has said the end of a run. */
#include "tiny.h"

static const struct pawl_run *real; /* one call at a time */

static int32_t value(void *context, const char *json, size_t size)
{
    int32_t status = real->value(context, json, size);
    real->log(context, "and one thing more", 18);
    return status;
}

static int32_t run(void *instance, const struct pawl_run *given, const struct pawl_sink *why)
{
    struct pawl_run view = *given;
    real = given;
    view.value = value;
    return tiny_run(instance, &view, why);
}

TINY_ENTRY("after-end", (provider.run = run, provider.threads = PAWL_THREADS_SERIAL))
