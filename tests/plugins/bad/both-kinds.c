/* It would be a provider and a stage. */
#include "good.h"

#include <pawl/stage.h>

PROVIDER_ENTRY("both-kinds", (void)0)

const struct pawl_stage *pawl_stage_entry_v1(void)
{
    return 0;
}
