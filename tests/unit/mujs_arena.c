/* Unit tests of the heap of a VM. */
#include "providers/mujs/arena.h"
#include "tests/unit/test.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf full;

static void on_exhausted(void *context)
{
    (void)context;
    longjmp(full, 1);
}

static struct arena *new_arena(size_t capacity)
{
    struct arena *arena = arena_map(capacity);

    if (arena == NULL)
        abort();
    arena->exhausted = on_exhausted;
    return arena;
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 8;
}

/* Random allocation, growth, shrinking and freeing; every block keeps its bytes. */
static void test_random(void)
{
    enum { BLOCKS = 300, STEPS = 200000 };
    struct arena *arena = new_arena(8 << 20);
    size_t empty = arena_extent(arena);
    struct {
        unsigned char *data, fill;
        int size;
    } block[BLOCKS] = {{0}};
    unsigned random = 1, broken = 0;

    for (int step = 0; step < STEPS; step++) {
        unsigned i = next_random(&random) % BLOCKS;
        int kind = (int)(next_random(&random) % 20);
        int size = kind == 0  ? 0
                   : kind < 3 ? 1 + (int)(next_random(&random) % 20000)
                              : 1 + (int)(next_random(&random) % 200);
        int kept = size < block[i].size ? size : block[i].size;

        if (kind > 15)
            size = kept = 0;
        block[i].data = arena_alloc(arena, block[i].data, size);
        for (int k = 0; k < kept; k++)
            broken += block[i].data[k] != block[i].fill;
        broken += (uintptr_t)block[i].data % ARENA_UNIT != 0;
        block[i].fill = (unsigned char)step;
        block[i].size = size;
        if (size > 0)
            memset(block[i].data, block[i].fill, (size_t)size);
    }
    CU_ASSERT_EQUAL(broken, 0);
    for (int i = 0; i < BLOCKS; i++)
        arena_alloc(arena, block[i].data, 0);
    CU_ASSERT_EQUAL(arena_extent(arena), empty); /* everything was joined again */
    CU_ASSERT_EQUAL(arena->in_use, 0);
    CU_ASSERT_TRUE(arena_peak(arena) > empty);
    arena_unmap(arena);
}

static void test_limit(void)
{
    struct arena *arena = new_arena(1 << 20);
    volatile int count = 0;

    arena->limit = 256 << 10;
    if (setjmp(full) == 0)
        for (;;) {
            CU_ASSERT_PTR_NOT_NULL_FATAL(arena_alloc(arena, NULL, 1000));
            count++;
        }
    CU_ASSERT_TRUE(count > 240 && count < 262);
    CU_ASSERT_TRUE(arena_peak(arena) <= arena->limit);
    arena_unmap(arena);
}

static void test_impossible_sizes(void)
{
    struct arena *arena = new_arena(1 << 20);
    void *block = arena_alloc(arena, NULL, 16);
    const int sizes[] = {-1, -2147483647 - 1, 2147483647};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        volatile int left = 1;

        if (setjmp(full) == 0) {
            arena_alloc(arena, NULL, sizes[i]);
            left = 0;
        }
        CU_ASSERT_TRUE(left);
        left = 1;
        if (setjmp(full) == 0) {
            arena_alloc(arena, block, sizes[i]);
            left = 0;
        }
        CU_ASSERT_TRUE(left);
    }
    CU_ASSERT_PTR_NULL(arena_alloc(arena, NULL, 0));
    arena_unmap(arena);
    CU_ASSERT_PTR_NULL(arena_map(1));
    CU_ASSERT_PTR_NULL(arena_map(ARENA_MAX + 1));
    arena_unmap(NULL);
}

/* A string that grows does not fill the heap with its earlier selves. */
static void test_growth_in_place(void)
{
    struct arena *arena = new_arena(4 << 20);
    void *text = NULL;

    for (int size = 1; size < (3 << 20); size += 100)
        text = arena_alloc(arena, text, size);
    CU_ASSERT_PTR_NOT_NULL(text);
    arena_unmap(arena);
}

static void test_image(void)
{
    struct arena *arena = new_arena(1 << 20);
    char *text = arena_alloc(arena, NULL, 100), *image;
    size_t extent;

    memcpy(text, "the text of the template", 25);
    extent = arena_extent(arena);
    image = malloc(extent);
    memcpy(image, arena, extent);
    memcpy(text, "something else", 15);
    arena_alloc(arena, NULL, 5000);
    memcpy(arena, image, extent);
    CU_ASSERT_STRING_EQUAL(text, "the text of the template");
    CU_ASSERT_EQUAL(arena_extent(arena), extent);
    arena_trim(arena, extent);
    CU_ASSERT_STRING_EQUAL(text, "the text of the template");
    free(image);
    arena_unmap(arena);
}

static void test_serial(void)
{
    struct arena *arena = new_arena(1 << 20);
    void *first = arena_alloc(arena, NULL, 64), *second = arena_alloc(arena, NULL, 64), *third;

    arena_alloc(arena, first, 0);
    third = arena_alloc(arena, NULL, 64);
    CU_ASSERT_PTR_EQUAL(third, first); /* an earlier address, a later serial */
    CU_ASSERT_TRUE(arena_serial(third) > arena_serial(second));
    arena_unmap(arena);
}

static void test_collect(void)
{
    struct arena *arena = new_arena(64 << 20);
    uint32_t counter = 0;

    arena->collect = &counter;
    for (int i = 0; i < 10; i++)
        arena_alloc(arena, arena_alloc(arena, NULL, 100), 0);
    CU_ASSERT_EQUAL(counter, 0);
    for (int i = 0; i < 1000; i++)
        arena_alloc(arena, arena_alloc(arena, NULL, 100000), 0);
    CU_ASSERT_NOT_EQUAL(counter, 0);
    arena_unmap(arena);
}

int main(void)
{
    static CU_TestInfo tests[] = {{"random", test_random},
                                  {"limit", test_limit},
                                  {"impossible sizes", test_impossible_sizes},
                                  {"growth in place", test_growth_in_place},
                                  {"image", test_image},
                                  {"serial", test_serial},
                                  {"collect", test_collect},
                                  CU_TEST_INFO_NULL};

    return test_suite("arena", tests);
}
