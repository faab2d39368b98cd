/* Wants the struct to be as large as it knows it. */
#include "gate.h"

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    if (call->header.size == sizeof(*call))
        return gate_judge(instance, call, why, verdict);
    gate_say(why, "this host is not the one that I know");
    return PAWL_E_ARGUMENT;
}

GATE_ENTRY("strict", stage.judge = judge)
