/* Forgets to free something in every run. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    static void *forgotten;
    void **more = malloc(8192);
    memset(more, 1, 8192);
    *more = forgotten;
    forgotten = more;
    return tiny_run(instance, real, why);
}

TINY_ENTRY("grows", (provider.run = run, provider.threads = PAWL_THREADS_SERIAL))
