/* A stage with which nothing is wrong; BREAK breaks one thing of it. */
#include <pawl/stage.h>

#ifndef NAME
#define NAME "good"
#endif
#ifndef BREAK
#define BREAK (void)0
#endif

static int32_t create(const char *config, const struct pawl_sink *why, void **instance)
{
    (void)config;
    (void)why;
    *instance = 0;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    (void)instance;
    (void)call;
    (void)why;
    *verdict = PAWL_VERDICT_ALLOW;
    return PAWL_OK;
}

const struct pawl_stage *pawl_stage_entry_v1(void)
{
    static struct pawl_stage stage;
    stage = (struct pawl_stage){.name = NAME,
                                .version = "2.0",
                                .description = "for tests",
                                .create = create,
                                .destroy = destroy,
                                .judge = judge};
    stage.header = (struct pawl_header)PAWL_HEADER(STAGE, stage);
    BREAK;
    return &stage;
}
