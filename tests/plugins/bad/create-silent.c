/* Its create fails without a word. */
#include "good.h"

static int32_t fail(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                    void **instance)
{
    (void)host;
    (void)config;
    (void)why;
    (void)instance;
    return PAWL_E_UNAVAILABLE;
}

PROVIDER_ENTRY("create-silent", provider.create = fail)
