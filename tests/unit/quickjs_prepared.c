/* The template that is part of the plugin. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/provider.h>

#include "providers/quickjs/prepared.h"
#include "tests/unit/test.h"

static size_t embedded_size(void)
{
    return (size_t)(prepared_end - prepared_start);
}

static struct engine *new_engine(const struct prepared *prepared)
{
    char why[512] = "";
    struct engine *engine = NULL;
    CU_ASSERT_EQUAL_FATAL(engine_create(&engine, prepared, SIGRTMAX, why, sizeof why), PAWL_OK);
    return engine;
}

static void is_what_would_be_made_now(void)
{
    char *made = NULL;
    size_t size = 0;
    struct engine *engine = new_engine(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(engine_typescript(engine));
    FILE *out = open_memstream(&made, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT(prepared_write(engine, out));
    fclose(out);
    engine_destroy(engine);
    CU_ASSERT_EQUAL_FATAL(size, embedded_size());
    CU_ASSERT(memcmp(made, prepared_start, size) == 0);
    free(made);
}

static void is_used(void)
{
    const struct prepared *prepared = prepared_open(prepared_start, embedded_size());
    CU_ASSERT_PTR_NOT_NULL_FATAL(prepared);
    struct engine *engine = new_engine(prepared);
    CU_ASSERT_PTR_NULL(engine->image->owned);
    CU_ASSERT((const unsigned char *)engine->image->data > prepared_start &&
              (const unsigned char *)engine->image->data < prepared_end);
    engine_destroy(engine);
}

static void another_is_refused(void)
{
    CU_ASSERT_PTR_NULL(prepared_open(prepared_start, 0));
    CU_ASSERT_PTR_NULL(prepared_open(prepared_start, 64));
    CU_ASSERT_PTR_NULL(prepared_open(prepared_start, embedded_size() - 1));
    unsigned char *copy = aligned_alloc(IMAGE_PAGE, embedded_size());
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    memcpy(copy, prepared_start, embedded_size());
    CU_ASSERT_PTR_NOT_NULL(prepared_open(copy, embedded_size()));
    copy[0] ^= 1; /* the key */
    CU_ASSERT_PTR_NULL(prepared_open(copy, embedded_size()));
    free(copy);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"is what would be made now", is_what_would_be_made_now},
        {"is used", is_used},
        {"another is refused", another_is_refused},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {
        {"quickjs template", NULL, NULL, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return test_main(suites);
}
