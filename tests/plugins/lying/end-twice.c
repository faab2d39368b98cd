/* Says the end of a run twice: a value, and then a failure. */
#include "tiny.h"

static int32_t run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    const struct pawl_failure failure = {.header = PAWL_HEADER(FAILURE, failure),
                                         .kind = "runtime",
                                         .message = {"on second thoughts", 18, 0}};
    int32_t status = tiny_run(instance, real, why);
    real->fail(real->context, &failure);
    return status;
}

TINY_ENTRY("end-twice", provider.run = run)
