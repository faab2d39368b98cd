/* Its descriptor is of another major version than its entry. */
#include "good.h"

PROVIDER_ENTRY("descriptor-major", provider.header.major = 9; provider.header.minor = 3)
