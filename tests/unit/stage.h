/* stage.h - driving a stage's own entry, for tests of one that is linked into the test. */
#ifndef TEST_STAGE_H
#define TEST_STAGE_H

#include <pawl/stage.h>

#include <string.h>

#include "tests/unit/test.h"

static char stage_words[4096]; /* what was said last */

static void stage_write(void *context, const char *piece, size_t size)
{
    (void)context;
    strncat(stage_words, piece, size < sizeof(stage_words) - strlen(stage_words) - 1 ? size : 0);
}

static const struct pawl_sink stage_why = {
    .header = PAWL_HEADER(SINK, stage_why),
    .write = stage_write,
};

/* An instance, where `complaint` is ""; otherwise creation must fail with these words. */
static inline void *stage_create(const char *config, const char *complaint)
{
    void *instance = NULL;
    *stage_words = '\0';
    int32_t status = pawl_stage_entry_v1()->create(config, &stage_why, &instance);
    TEST_TEXT(stage_words, complaint);
    CU_ASSERT((status == PAWL_OK) == (*complaint == '\0'));
    CU_ASSERT((instance == NULL) == (status != PAWL_OK));
    return instance;
}

static inline void stage_destroy(void *instance)
{
    pawl_stage_entry_v1()->destroy(instance);
}

/* A call of `tools.NAME`. */
static inline struct pawl_stage_call stage_call(const char *run, uint64_t number, const char *name,
                                                const char *arguments)
{
    struct pawl_stage_call call = {
        .run = run,
        .number = number,
        .name = name,
        .namespace_name = "tools",
        .function = strchr(name, '.') != NULL ? strchr(name, '.') + 1 : name,
        .arguments = {.data = arguments, .size = (uint32_t)strlen(arguments)},
        .cancel_fd = -1,
    };
    call.header = (struct pawl_header)PAWL_HEADER(STAGE_CALL, call);
    return call;
}

/* The verdict, or a negative status. */
static inline int stage_judge(void *instance, const struct pawl_stage_call *call)
{
    uint32_t verdict = PAWL_VERDICT_DENY;
    *stage_words = '\0';
    int32_t status = pawl_stage_entry_v1()->judge(instance, call, &stage_why, &verdict);
    return status == PAWL_OK ? (int)verdict : status;
}

#endif
