/*
 * An engine that has been taken over: it executes native code for whoever asks. A program is one
 * line, `PROBE VICTIM DESCRIPTOR FILE`; the value is how the probe ended, if it returned.
 *
 * With "keep" in its configuration it keeps a file or a thread, which confinement must refuse.
 */
#include <fcntl.h>
#include <pawl/provider.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/probes/probe.h"

static void *idle(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    static char nothing;
    pthread_t thread;
    (void)host;
    (void)why;
    if (strstr(config, "file") != NULL && open("/etc", O_RDONLY | O_DIRECTORY) < 0)
        return PAWL_E_SYSTEM;
    if (strstr(config, "thread") != NULL && pthread_create(&thread, NULL, idle, NULL) != 0)
        return PAWL_E_SYSTEM;
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
    static const char *const names[] = {"javascript", NULL};
    (void)instance;
    return names;
}

static int32_t run(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    char line[512], name[64], file[256], value[64];
    struct probe_target target = {.file = file};
    (void)instance;
    (void)why;
    snprintf(line, sizeof(line), "%.*s", (int)run->program.size, run->program.data);
    if (sscanf(line, "%63s %d %d %255s", name, &target.victim, &target.descriptor, file) != 4)
        return PAWL_E_ARGUMENT;
    const struct probe *probe = probe_find(name);
    if (probe == NULL)
        return PAWL_E_ARGUMENT;
    int error = probe->attempt(&target);
    const char *end = error == 0 ? "done" : strerrorname_np(error);
    int size = snprintf(value, sizeof(value), "\"%s\"", end == NULL ? "unknown" : end);
    return run->value(run->context, value, (size_t)size);
}

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .name = "compromised",
    .version = "0",
    .description = "runs native code on request, for tests of what must contain it",
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
