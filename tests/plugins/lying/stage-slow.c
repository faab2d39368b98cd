/* Says that it never waits, and does. */
#include <time.h>

#include "gate.h"

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
    return gate_judge(instance, call, why, verdict);
}

GATE_ENTRY("slow", (stage.judge = judge, stage.offers_bits = PAWL_STAGE_PROMPT))
