/* The egress that it says it enforces does not exist. */
#include "good.h"

static uint32_t egress(void *instance)
{
    (void)instance;
    return 3;
}

PROVIDER_ENTRY("egress-range", provider.egress = egress)
