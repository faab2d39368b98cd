/* What a program has set is there for the next one. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    static const struct tiny_reach nothing;
    static struct tiny_state state = {"null"};
    (void)instance, (void)why;
    tiny_interpret(real, &state, nothing);
    return PAWL_OK;
}

TINY_ENTRY("state", (provider.run = run, provider.threads = PAWL_THREADS_SERIAL))
