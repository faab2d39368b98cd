#include "tests/unit/scripted.h"

#include <stdbool.h>
#include <string.h>

scripted_function *scripted_program;

/* --- The provider --------------------------------------------------------------------------- */

static int32_t provider_create(const struct pawl_host *host, const char *config,
                               const struct pawl_sink *why, void **instance)
{
    (void)host, (void)config, (void)why;
    *instance = NULL;
    return PAWL_OK;
}

static void provider_destroy(void *instance)
{
    (void)instance;
}

static uint32_t provider_level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

static int32_t provider_supports(void *instance, const struct pawl_budget *budget,
                                 const struct pawl_sink *why, uint32_t *missing)
{
    (void)instance, (void)budget, (void)why, (void)missing;
    return PAWL_OK;
}

static const char *const *provider_languages(void *instance)
{
    (void)instance;
    static const char *const languages[] = {"javascript", "javascript-es5", NULL};
    return languages;
}

static int32_t provider_run(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)instance;
    return scripted_program(run, why);
}

const struct pawl_provider scripted_provider = {
    .header = PAWL_HEADER(PROVIDER, scripted_provider),
    .name = "scripted",
    .version = "1",
    .description = "does what a test says",
    .threads = PAWL_THREADS_PARALLEL,
    .create = provider_create,
    .destroy = provider_destroy,
    .level = provider_level,
    .supports = provider_supports,
    .languages = provider_languages,
    .run = provider_run,
};

/* --- The stage ------------------------------------------------------------------------------ */

static int32_t stage_create(const char *config, const struct pawl_sink *why, void **instance)
{
    (void)why;
    *instance = (void *)config; /* a constant of the test's */
    return PAWL_OK;
}

static void stage_destroy(void *instance)
{
    (void)instance;
}

static int32_t stage_judge(void *instance, const struct pawl_stage_call *call,
                           const struct pawl_sink *why, uint32_t *verdict)
{
    bool denied = strcmp(call->function, instance) == 0;
    if (denied)
        why->write(why->context, "so it is", 8);
    *verdict = denied ? PAWL_VERDICT_DENY : PAWL_VERDICT_ALLOW;
    return PAWL_OK;
}

const struct pawl_stage denying_stage = {
    .header = PAWL_HEADER(STAGE, denying_stage),
    .offers_bits = PAWL_STAGE_PROMPT,
    .name = "denying",
    .version = "1",
    .threads = PAWL_THREADS_PARALLEL,
    .create = stage_create,
    .destroy = stage_destroy,
    .judge = stage_judge,
};
