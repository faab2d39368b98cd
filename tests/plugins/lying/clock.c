/* Has a clock of its own. */
#include "tiny.h"

#include <time.h>

static int32_t clock_own(void *context, int64_t *nanoseconds)
{
    (void)context;
    *nanoseconds = (int64_t)time(NULL) * 1000000000;
    return PAWL_OK;
}

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    struct pawl_run view = *real;
    view.clock = clock_own;
    return tiny_run(instance, &view, why);
}

TINY_ENTRY("clock", provider.run = run)
