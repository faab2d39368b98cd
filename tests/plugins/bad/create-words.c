/* Its create fails and says why, in words that are not fit to print. */
#include "good.h"

static int32_t fail(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                    void **instance)
{
    (void)host;
    (void)config;
    (void)instance;
    why->write(why->context, "no luck\n\033[31mtoday\xff", 19);
    why->write(why->context, "\n", 1);
    return PAWL_E_CONFIG;
}

PROVIDER_ENTRY("create-words", provider.create = fail)
