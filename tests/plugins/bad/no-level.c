/* It has no function 'level'. */
#include "good.h"

PROVIDER_ENTRY("no-level", provider.level = 0)
