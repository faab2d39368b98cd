/* Says that any number of runs may be under way at once, and has one place for all of them. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    static const struct tiny_reach nothing;
    static struct tiny_state state;
    (void)instance, (void)why;
    strcpy(state.text, "null");
    tiny_interpret(real, &state, nothing);
    return PAWL_OK;
}

TINY_ENTRY("threads", provider.run = run)
