/* Its create fails and will not stop talking. */
#include "good.h"

static int32_t fail(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                    void **instance)
{
    (void)host;
    (void)config;
    (void)instance;
    for (int i = 0; i < 100000; i++)
        why->write(why->context, "0123456789", 10);
    return PAWL_E_SYSTEM;
}

PROVIDER_ENTRY("create-flood", provider.create = fail)
