/* Waits for somebody until it is told that nobody waits any more, but does not listen for that when
 * it was told before. */
#include <poll.h>
#include <unistd.h>

#include "gate.h"

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    struct pollfd given_up = {.fd = call->cancel_fd, .events = POLLIN};
    if (poll(&given_up, 1, 0) == 1)
        for (;;)
            pause();
    return gate_judge(instance, call, why, verdict);
}

GATE_ENTRY("deaf", (stage.judge = judge, stage.offers_bits = PAWL_STAGE_WAITS))
