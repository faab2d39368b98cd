/* Allocations that fail. The program is linked with --wrap=malloc and --wrap=realloc. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "providers/program/json_text.h"
#include "providers/program/prepare.h"

void *__real_malloc(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *memory, size_t size);

/* How many allocations still succeed; negative: all. */
static int remaining = -1;

static bool fails(void)
{
    if (remaining < 0)
        return false;
    if (remaining == 0)
        return true;
    remaining--;
    return false;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

static void test_prepare(void)
{
    struct program_text text;
    struct program_error error;
    remaining = 0;
    int status = program_prepare("return 1", 8, NULL, &text, &error);
    remaining = -1;
    CU_ASSERT_EQUAL(status, PROGRAM_E_MEMORY);
    CU_ASSERT_PTR_NULL(text.text);
    program_text_release(&text);
}

static void test_buffer(void)
{
    char bytes[1000];
    memset(bytes, 'a', sizeof bytes);
    for (int n = 0;; n++) {
        struct program_buffer buffer = {0};
        bool all = true;
        remaining = n;
        for (int i = 0; i < 100; i++)
            all = program_json_put_string(&buffer, bytes, (size_t)i) && all;
        remaining = -1;
        CU_ASSERT_EQUAL(all, !buffer.has_no_memory);
        CU_ASSERT_FALSE(buffer.is_over);
        /* Whole strings only: as many quotes as an even number. */
        size_t quotes = 0;
        for (size_t i = 0; i < buffer.length; i++)
            quotes += buffer.data[i] == '"';
        CU_ASSERT_EQUAL(quotes % 2, 0);
        program_buffer_release(&buffer);
        CU_ASSERT_FATAL(n < 100);
        if (all)
            break;
    }
}

void program_memory_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: memory", NULL, NULL);
    CU_ADD_TEST(suite, test_prepare);
    CU_ADD_TEST(suite, test_buffer);
}
