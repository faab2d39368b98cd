/* It needs a symbol that nobody has. */
#include "good.h"

PAWL_EXPORT int nobody_has_this(void);

PROVIDER_ENTRY("undefined", provider.threads = (uint32_t)nobody_has_this())
