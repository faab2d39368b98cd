/* Its descriptor's magic number is another. */
#include "good.h"

PROVIDER_ENTRY("wrong-magic", provider.header.magic = 0x12345678)
