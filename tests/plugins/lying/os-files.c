/* Claims the level os, but its programs open files in the host's own process. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    static const struct tiny_reach reach = {.files = 1};
    struct tiny_state state = {"null"};
    (void)instance, (void)why;
    tiny_interpret(real, &state, reach);
    return PAWL_OK;
}

static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_OS;
}

TINY_ENTRY("os-files", (provider.run = run, provider.level = level))
