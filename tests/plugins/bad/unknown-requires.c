/* It requires what no host has. */
#include "good.h"

PROVIDER_ENTRY("unknown-requires", provider.requires_bits = UINT64_C(0x8000000000000010))
