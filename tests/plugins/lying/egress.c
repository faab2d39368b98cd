/* Claims the egress none, but its programs reach the network. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    static const struct tiny_reach reach = {.network = 1};
    struct tiny_state state = {"null"};
    (void)instance, (void)why;
    tiny_interpret(real, &state, reach);
    return PAWL_OK;
}

TINY_ENTRY("egress", provider.run = run)
