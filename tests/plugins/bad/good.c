/* Nothing is wrong with it. */
#include "good.h"

PROVIDER_ENTRY("good", provider.offers_bits = UINT64_C(1) << 63)
