/* good.h - a provider with which nothing is wrong. Each file here breaks one thing of it. */
#ifndef GOOD_H
#define GOOD_H

#include <pawl/provider.h>

static int32_t good_create(const struct pawl_host *host, const char *config,
                           const struct pawl_sink *why, void **instance)
{
    static int one;
    (void)host;
    (void)config;
    (void)why;
    *instance = &one;
    return PAWL_OK;
}

static void good_destroy(void *instance)
{
    (void)instance;
}

static uint32_t good_level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

static const char *const *good_languages(void *instance)
{
    static const char *const languages[] = {"javascript-es5", 0};
    (void)instance;
    return languages;
}

static int32_t good_run(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)instance;
    (void)why;
    return run->value(run->context, 0, 0);
}

static inline struct pawl_provider good_provider(const char *name)
{
    struct pawl_provider provider = {.name = name,
                                     .version = "1.0",
                                     .description = "for tests",
                                     .create = good_create,
                                     .destroy = good_destroy,
                                     .level = good_level,
                                     .languages = good_languages,
                                     .run = good_run};
    provider.header = (struct pawl_header)PAWL_HEADER(PROVIDER, provider);
    return provider;
}

/* The entry function of a provider called `own_name`, after `change` has been done to it. */
#define PROVIDER_ENTRY(own_name, change)                     \
    const struct pawl_provider *pawl_provider_entry_v1(void) \
    {                                                        \
        static struct pawl_provider provider;                \
        provider = good_provider(own_name);                  \
        change;                                              \
        return &provider;                                    \
    }

#endif
