/* Claims to keep max_memory, and never looks at it. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    struct pawl_budget budget = *real->budget;
    struct pawl_run view = *real;
    budget.max_memory = 0;
    view.budget = &budget;
    return tiny_run(instance, &view, why);
}

TINY_ENTRY("memory", provider.run = run)
