/*
 * The subprocess provider: an engine, or a command that speaks abi/wire.md, in a process of its own
 * with kernel limits. Its level is the engine's, because a process is no boundary by itself; around
 * a command it is `none`.
 */
#include <config.h> /* the one that configure made */

#include <pawl/provider.h>

#include "providers/parent/instance.h"

static const struct traits traits = {.name = "subprocess", .runs_commands = true};

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    struct instance *made;
    int32_t status = instance_create(&traits, host, config, why, &made);
    if (status == PAWL_OK)
        *instance = made;
    return status;
}

static void destroy(void *instance)
{
    instance_destroy(instance);
}

static uint32_t level(void *instance)
{
    return instance_level(instance);
}

static int32_t supports(void *instance, const struct pawl_budget *budget,
                        const struct pawl_sink *why, uint32_t *missing)
{
    return instance_supports(instance, budget, why, missing);
}

static uint32_t egress(void *instance)
{
    return instance_egress(instance);
}

static const char *const *languages(void *instance)
{
    return instance_languages(instance);
}

static int32_t run(void *instance, const struct pawl_run *a_run, const struct pawl_sink *why)
{
    return instance_run(instance, a_run, why);
}

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .offers_bits = PAWL_OFFERS_ISOLATION,
    .name = "subprocess",
    .version = PACKAGE_VERSION,
    .description = "runs an engine, or a command, in a process of its own",
    .threads = PAWL_THREADS_PARALLEL,
    .create = create,
    .destroy = destroy,
    .level = level,
    .supports = supports,
    .egress = egress,
    .languages = languages,
    .run = run,
};

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void)
{
    return &provider;
}
