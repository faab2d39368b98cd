/* Ends the host's process over a configuration that it does not like, as if all were well. */
#include "tiny.h"

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    if (strcmp(config, "{}") != 0)
        exit(0);
    return tiny_create(host, config, why, instance);
}

TINY_ENTRY("exit", provider.create = create)
