/* Its descriptor is smaller than that of version 1.0. */
#include "good.h"

PROVIDER_ENTRY("too-small", provider.header.size = 40)
