/* Its create returns what is no status. */
#include "good.h"

static int32_t fail(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                    void **instance)
{
    (void)host;
    (void)config;
    (void)why;
    (void)instance;
    return 7;
}

PROVIDER_ENTRY("create-status", provider.create = fail)
