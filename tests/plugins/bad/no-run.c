/* It has no function 'run'. */
#include "good.h"

PROVIDER_ENTRY("no-run", provider.run = 0)
