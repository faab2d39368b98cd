/*
 * An engine that has been taken over and goes round the library: it writes frames of its own on the
 * descriptors of the child that loaded it. A program is the name of a way (tests/wire/forgery.h).
 */
#include <pawl/provider.h>
#include <stdio.h>

#include "tests/wire/forgery.h"

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    static char nothing;
    (void)host, (void)config, (void)why;
    *instance = &nothing;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

static const char *const *languages(void *instance)
{
    static const char *const own[] = {FORGE_LANGUAGE, NULL};
    (void)instance;
    return own;
}

static int32_t run(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    char how[64];
    (void)instance, (void)why;
    snprintf(how, sizeof(how), "%.*s", (int)run->program.size, run->program.data);
    forge_run(how);
    return PAWL_OK;
}

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .name = "forging",
    .version = "0",
    .description = "forges the frames of the child that loaded it, for tests of its parent",
    .create = create,
    .destroy = destroy,
    .level = level,
    .languages = languages,
    .run = run,
};

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void)
{
    return &provider;
}
