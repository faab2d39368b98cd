/* Has a verdict of its own. */
#include "gate.h"

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    int32_t status = gate_judge(instance, call, why, verdict);
    if (status == PAWL_OK && *verdict == PAWL_VERDICT_ALLOW)
        *verdict = 7;
    return status;
}

GATE_ENTRY("odd-verdict", stage.judge = judge)
