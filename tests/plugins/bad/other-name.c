/* Its name is not its file's. */
#include "good.h"

PROVIDER_ENTRY("mujs", (void)0)
