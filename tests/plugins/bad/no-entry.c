/* It exports neither entry function. */
#include "good.h"

PAWL_EXPORT struct pawl_provider entry(void);

struct pawl_provider entry(void)
{
    return good_provider("no-entry");
}
