/* It is for another major version. If it were called, it would end the process. */
#include "good.h"

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v2(void);

__attribute__((constructor)) static void never(void)
{
    __builtin_trap();
}

const struct pawl_provider *pawl_provider_entry_v2(void)
{
    static struct pawl_provider provider;
    provider = good_provider("other-major");
    return &provider;
}
