/* Its thread model does not exist. */
#include "good.h"

PROVIDER_ENTRY("unknown-threads", provider.threads = 3)
