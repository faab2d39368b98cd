/* Claims the level os, and is in the host's own process. */
#include "tiny.h"

static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_OS;
}

TINY_ENTRY("os", provider.level = level)
