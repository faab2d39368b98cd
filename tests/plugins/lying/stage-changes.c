/* Counts its calls in its descriptor. */
#include "gate.h"

static struct pawl_stage *own;

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    own->offers_bits += 1ull << 40;
    return gate_judge(instance, call, why, verdict);
}

GATE_ENTRY("changes", (own = &stage, stage.judge = judge))
