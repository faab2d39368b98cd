/* Keeps the wall clock, except within what it has as a built-in function. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    static const char built_in[] = "busy in a built-in function";
    if (real->program.size == sizeof(built_in) - 1 &&
        memcmp(real->program.data, built_in, sizeof(built_in) - 1) == 0)
        for (volatile int forever = 1; forever;)
            ;
    return tiny_run(instance, real, why);
}

TINY_ENTRY("native", provider.run = run)
