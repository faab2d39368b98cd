/* It runs no language. */
#include "good.h"

static const char *const *languages(void *instance)
{
    static const char *const none[] = {0};
    (void)instance;
    return none;
}

PROVIDER_ENTRY("languages-empty", provider.languages = languages)
