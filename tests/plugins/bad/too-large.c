/* Its descriptor is impossibly large. */
#include "good.h"

PROVIDER_ENTRY("too-large", provider.header.size = 1u << 20)
