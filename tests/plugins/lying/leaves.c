/* Leaves a file open for every instance. */
#include "tiny.h"

#include <fcntl.h>

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    int32_t status = tiny_create(host, config, why, instance);
    return status != PAWL_OK || open("/dev/null", O_RDONLY) >= 0 ? status : PAWL_E_SYSTEM;
}

TINY_ENTRY("leaves", provider.create = create)
