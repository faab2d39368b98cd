/* Its file is named as a provider, and it is a stage. */
#include "good.h"

#include <pawl/stage.h>

const struct pawl_stage *pawl_stage_entry_v1(void)
{
    static struct pawl_provider provider;
    provider = good_provider("other-kind");
    return (const struct pawl_stage *)(const void *)&provider;
}
