/* Its languages are NULL. */
#include "good.h"

static const char *const *languages(void *instance)
{
    (void)instance;
    return 0;
}

PROVIDER_ENTRY("languages-null", provider.languages = languages)
