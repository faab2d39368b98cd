#include <config.h> /* the one that configure made */

#include <pawl/pawl.h>

const char *pawl_version(void)
{
    return PACKAGE_VERSION;
}
