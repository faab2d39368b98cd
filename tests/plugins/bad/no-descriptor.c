/* Its entry returns NULL. */
#include "good.h"

const struct pawl_provider *pawl_provider_entry_v1(void)
{
    (void)good_provider;
    return 0;
}
