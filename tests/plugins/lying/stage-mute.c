/* Denies without a word. */
#include "gate.h"

static void drop(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
}

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    const struct pawl_sink nothing = {.header = PAWL_HEADER(SINK, nothing), .write = drop};
    (void)why;
    return gate_judge(instance, call, &nothing, verdict);
}

GATE_ENTRY("mute", stage.judge = judge)
