#include <pawl/pawl.h>

#include "config.h"

const char *pawl_version(void)
{
    return PACKAGE_VERSION;
}
