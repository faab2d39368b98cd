/* It has no function 'create'. */
#include "good.h"

PROVIDER_ENTRY("no-create", provider.create = 0)
