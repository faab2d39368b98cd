/* Fails with a status that there is none of. */
#include "gate.h"

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    return gate_judge(instance, call, why, verdict) == PAWL_OK ? PAWL_OK : -1000;
}

GATE_ENTRY("odd-status", stage.judge = judge)
