/*
 * instance.h - an instance of an isolating provider: its configuration, its children, its runs.
 * What distinguishes one such provider from another is its traits.
 *
 * Configuration, a JSON object:
 *
 *   engine         name of the engine plugin that the children load
 *   engine_config  its configuration, an object
 *   command        instead of an engine: a program that speaks abi/wire.md, and its arguments; with
 *                  a lock, it is executed behind that
 *   warm           how many children are kept ready, 0 to 64 (0)
 *   cgroup         a delegated cgroup v2 directory, in which each run gets a group of its own
 *   frame_limit    most bytes of a frame from a child (1114112)
 *   record         true: clock and random bytes always come from the host, not only in a run that
 *                  is recorded
 *   child          path of pawl-child, if it is not where it was installed
 */
#ifndef PARENT_INSTANCE_H
#define PARENT_INSTANCE_H

#include "pool.h"

struct traits {
    const char *name;   /* of the provider, for messages */
    bool runs_commands; /* "command" is allowed */
    uint32_t level;     /* PAWL_LEVEL_* of an instance; PAWL_LEVEL_NONE: that of its engine */
    const char *lock;   /* JSON for the launch frame; NULL: none */
    int namespaces;
    int32_t (*verify)(void *context, const struct worker *worker, struct text *why);
    void (*state_facts)(void *context, const struct worker *worker, const struct pawl_run *run);
};

struct instance;

/* These are the functions of pawl/provider.h of the same names, and stand as they are in the
 * descriptors of the providers. `create` starts one child as a proof that it can be done. */
int32_t instance_create(const struct traits *traits, const struct pawl_host *host,
                        const char *config, const struct pawl_sink *why,
                        struct instance **instance);
void instance_destroy(void *instance);
uint32_t instance_level(void *instance);
uint32_t instance_egress(void *instance);
const char *const *instance_languages(void *instance);

/* Whether it is a command that its children run, not an engine. */
bool instance_runs_command(void *instance);

int32_t instance_supports(void *instance, const struct pawl_budget *budget,
                          const struct pawl_sink *why, uint32_t *missing);
int32_t instance_run(void *instance, const struct pawl_run *run, const struct pawl_sink *why);

#endif
