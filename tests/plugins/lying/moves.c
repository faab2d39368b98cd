/* Its level rises when it has run a program. */
#include "tiny.h"

static uint32_t level_now = PAWL_LEVEL_NONE;

static uint32_t level(void *instance)
{
    (void)instance;
    return level_now;
}

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    level_now = PAWL_LEVEL_PROCESS;
    return tiny_run(instance, real, why);
}

TINY_ENTRY("moves", (provider.run = run, provider.level = level))
