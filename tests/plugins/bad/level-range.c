/* Its level does not exist. */
#include "good.h"

static uint32_t level(void *instance)
{
    (void)instance;
    return 4;
}

PROVIDER_ENTRY("level-range", provider.level = level)
