/* Knows only of calls that came out well or badly. */
#include "gate.h"

static void settled(void *instance, const struct pawl_stage_call *call, uint32_t outcome,
                    uint64_t bytes, uint64_t microseconds)
{
    (void)instance, (void)call, (void)bytes, (void)microseconds;
    if (outcome > PAWL_OUTCOME_ERROR)
        abort();
}

GATE_ENTRY("fragile", stage.settled = settled)
