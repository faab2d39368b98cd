/* It does not say its name. */
#include "good.h"

PROVIDER_ENTRY("no-name", provider.name = 0)
