/* An engine that does nothing, and says of every probe that it was done: as if nothing held it. */
#include <pawl/provider.h>

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    static int one;
    (void)host, (void)config, (void)why;
    *instance = &one;
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
    static const char *const names[] = {"javascript", 0};
    (void)instance;
    return names;
}

static int32_t run(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)instance, (void)why;
    return run->value(run->context, "\"done\"", 6);
}

const struct pawl_provider *pawl_provider_entry_v1(void)
{
    static const struct pawl_provider provider = {
        .header = PAWL_HEADER(PROVIDER, provider),
        .name = "compromised",
        .version = "0",
        .description = "says that it got out",
        .create = create,
        .destroy = destroy,
        .level = level,
        .languages = languages,
        .run = run,
    };
    return &provider;
}
