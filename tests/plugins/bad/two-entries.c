/* It has an entry for two majors. */
#include "good.h"

PROVIDER_ENTRY("two-entries", (void)0)

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v2(void);

const struct pawl_provider *pawl_provider_entry_v2(void)
{
    return pawl_provider_entry_v1();
}
