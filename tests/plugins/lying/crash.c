/* A program of zeros is its death. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    if (real->program.size > 0 && real->program.data[0] == '\0')
        abort();
    return tiny_run(instance, real, why);
}

TINY_ENTRY("crash", provider.run = run)
