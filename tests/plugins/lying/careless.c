/* Takes any configuration. */
#include "tiny.h"

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    (void)config;
    return tiny_create(host, "{}", why, instance);
}

TINY_ENTRY("careless", provider.create = create)
