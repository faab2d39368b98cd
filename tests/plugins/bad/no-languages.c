/* It has no function 'languages'. */
#include "good.h"

PROVIDER_ENTRY("no-languages", provider.languages = 0)
