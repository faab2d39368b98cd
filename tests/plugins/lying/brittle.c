/* Takes the failure of a service for the end of the run, and says nothing. */
#include "tiny.h"

static const struct pawl_run *real; /* one run at a time */

static int32_t call(void *context, uint32_t function, const char *arguments, size_t size,
                    uint64_t *id)
{
    int32_t status = real->call(context, function, arguments, size, id);
    return status == PAWL_OK ? PAWL_OK : PAWL_E_ENDED;
}

static int32_t run(void *instance, const struct pawl_run *given, const struct pawl_sink *why)
{
    struct pawl_run view = *given;
    real = given;
    view.call = call;
    return tiny_run(instance, &view, why);
}

TINY_ENTRY("brittle", (provider.run = run, provider.threads = PAWL_THREADS_SERIAL))
