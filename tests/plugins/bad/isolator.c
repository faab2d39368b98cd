/* Nothing is wrong with it: it isolates engines, and refuses the one called create-silent. */
#include "good.h"

#include <string.h>

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    static int one;
    if (strcmp(config, "{\"engine\":\"good\"}") == 0) {
        *instance = &one;
        return host->find_provider(host->context, "good", why);
    }
    why->write(why->context, config, strlen(config));
    return host->find_provider(host->context, "nowhere", why);
}

static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_OS;
}

PROVIDER_ENTRY("isolator", provider.offers_bits = PAWL_OFFERS_ISOLATION; provider.create = create;
               provider.level = level)
