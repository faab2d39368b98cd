/* Claims walls, but its programs open files. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    static const struct tiny_reach reach = {.files = 1};
    struct tiny_state state = {"null"};
    (void)instance, (void)why;
    tiny_interpret(real, &state, reach);
    return PAWL_OK;
}

TINY_ENTRY("files", provider.run = run)
