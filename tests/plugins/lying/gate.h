/*
 * gate.h - an honest stage, for stages that lie: each file here (stage-NAME.c) keeps one promise of
 * it less. pawl-harness is to find each of them out (tests/harness).
 *
 * It denies tools.denied, breaks at tools.broken and allows the rest.
 */
#ifndef GATE_H
#define GATE_H

#include <pawl/stage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void gate_say(const struct pawl_sink *why, const char *text)
{
    why->write(why->context, text, strlen(text));
}

static int32_t gate_create(const char *config, const struct pawl_sink *why, void **instance)
{
    static int one;
    *instance = &one;
    if (strcmp(config, "{}") == 0)
        return PAWL_OK;
    gate_say(why, "there is nothing to configure");
    return PAWL_E_CONFIG;
}

static void gate_destroy(void *instance)
{
    (void)instance;
}

static int32_t gate_judge(void *instance, const struct pawl_stage_call *call,
                          const struct pawl_sink *why, uint32_t *verdict)
{
    char reason[700];
    (void)instance;
    if (strcmp(call->function, "broken") == 0) {
        gate_say(why, "it broke");
        return PAWL_E_SYSTEM;
    }
    *verdict = strcmp(call->function, "denied") == 0 ? PAWL_VERDICT_DENY : PAWL_VERDICT_ALLOW;
    snprintf(reason, sizeof(reason), "%s is not wanted", call->name);
    if (*verdict == PAWL_VERDICT_DENY)
        gate_say(why, reason);
    return PAWL_OK;
}

/* The entry function of a stage called `own_name`, after `change` has been done to it. */
#define GATE_ENTRY(own_name, change)                                   \
    const struct pawl_stage *pawl_stage_entry_v1(void)                 \
    {                                                                  \
        static struct pawl_stage stage = {                             \
            .header = PAWL_HEADER(STAGE, stage),                       \
            .name = own_name,                                          \
            .version = "1",                                            \
            .description = "judges by name, for tests of the harness", \
            .threads = 2,                                              \
            .create = gate_create,                                     \
            .destroy = gate_destroy,                                   \
            .judge = gate_judge,                                       \
        };                                                             \
        change;                                                        \
        return &stage;                                                 \
    }

#endif
