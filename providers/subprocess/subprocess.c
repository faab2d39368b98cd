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

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .offers_bits = PAWL_OFFERS_ISOLATION | PAWL_OFFERS_IMAGE,
    .name = "subprocess",
    .version = PACKAGE_VERSION,
    .description = "runs an engine, or a command, in a process of its own",
    .threads = PAWL_THREADS_PARALLEL,
    .create = create,
    .destroy = instance_destroy,
    .level = instance_level,
    .supports = instance_supports,
    .egress = instance_egress,
    .languages = instance_languages,
    .run = instance_run,
};

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void)
{
    return &provider;
}
