/*
 * The confine provider: an engine in a process that the kernel cuts off from files, network, other
 * processes and most system calls. Its level is `os`, or it cannot be created.
 */
#include <config.h> /* the one that configure made */
#include <pawl/provider.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "proof.h"
#include "providers/parent/instance.h"

static int32_t create_with(bool namespaces, const struct options *options,
                           const struct pawl_host *host, struct text *why,
                           struct instance **instance)
{
    struct text lock TEXT_CLEANUP = {0}, rest TEXT_CLEANUP = {0};
    struct pawl_sink sink = text_sink(why);
    const bool root = geteuid() == 0;
    text_format(&lock, "{\"namespaces\":%s,\"id\":%u", namespaces ? "true" : "false",
                (unsigned)(root ? options->id : geteuid()));
    if (options->command) {
        text_string(&lock, ",\"command\":true,\"visible\":");
        text_append(&lock, options->visible.data, options->visible.size);
    }
    text_string(&lock, "}");
    text_append(&rest, options->rest.data, options->rest.size);
    const struct traits traits = {
        .name = "confine",
        .runs_commands = true,
        .level = PAWL_LEVEL_OS,
        .lock = text_get(&lock),
        /* A pid namespace can only be entered at the start; an ordinary user needs a user namespace
         * to make one. The child makes all others itself. */
        .namespaces = !namespaces ? 0
                      : root      ? CLONE_NEWPID
                                  : CLONE_NEWUSER | CLONE_NEWPID,
        .verify = proof_check,
        .state_facts = proof_state_facts,
    };
    const char *config = text_get(&rest);
    if (traits.lock == NULL || config == NULL)
        return PAWL_E_MEMORY;
    return instance_create(&traits, host, config, &sink, instance);
}

/* The reason why namespaces cannot be had, and whether it would do without. */
static void advise(const struct options *options, const struct pawl_host *host, struct text *why)
{
    struct text other TEXT_CLEANUP = {0};
    struct instance *instance;
    if (create_with(false, options, host, &other, &instance) != PAWL_OK)
        return;
    instance_destroy(instance);
    text_string(why,
                "; without namespaces it can be confined here: \"namespaces\": \"optional\" in "
                "its configuration allows that (pawl doctor says what is missing)");
}

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **result)
{
    struct options options;
    struct text text TEXT_CLEANUP = {0};
    struct instance *instance = NULL;
    int32_t status = options_read(&options, config, &text);
    if (status == PAWL_OK)
        status = create_with(true, &options, host, &text, &instance);
    if (status == PAWL_E_UNAVAILABLE && options.namespaces_optional) {
        text_string(&text, "; and without namespaces: ");
        status = create_with(false, &options, host, &text, &instance);
    } else if (status == PAWL_E_UNAVAILABLE && !options.command) {
        advise(&options, host, &text);
    }
    options_free(&options);
    if (status == PAWL_OK)
        *result = instance;
    else if (text.size > 0)
        why->write(why->context, text.data, text.size);
    return status;
}

/* Whatever the engine says: the kernel gives it no network. A command that is to have a proxy has
 * the way there, and no other. */
static uint32_t egress(void *instance)
{
    (void)instance;
    return PAWL_EGRESS_NONE;
}

/* A command sees files, none of which it can write; but which, the configuration says, and not a
 * request. */
static int32_t files(void *instance, const struct pawl_policy *policy, const struct pawl_sink *why)
{
    static const char sees[] = "the command sees what its configuration makes visible";
    static const char sees_none[] = "an engine sees no files";
    bool command = instance_runs_command(instance);
    if (policy->files == PAWL_FILES_NONE && !command)
        return PAWL_OK;
    const char *reason = command ? sees : sees_none;
    why->write(why->context, reason, strlen(reason));
    return PAWL_E_UNSUPPORTED;
}

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .offers_bits = PAWL_OFFERS_ISOLATION | PAWL_OFFERS_IMAGE,
    .name = "confine",
    .version = PACKAGE_VERSION,
    .description = "runs an engine, or a command, in a process that the kernel has cut off",
    .threads = PAWL_THREADS_PARALLEL,
    .create = create,
    .destroy = instance_destroy,
    .level = instance_level,
    .supports = instance_supports,
    .egress = egress,
    .files = files,
    .languages = instance_languages,
    .run = instance_run,
};

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void)
{
    return &provider;
}
