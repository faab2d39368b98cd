/* Unit tests of how sides that were compiled against different minor versions understand each
 * other: PAWL_HAS, and the copies that the library makes of descriptors. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/plugin.h"
#include "tests/unit/test.h"

/* A struct as version 1.0 had it, and as a later minor version has it. */
struct before {
    struct pawl_header header;
    uint32_t first;
    uint32_t second;
};

struct after {
    struct pawl_header header;
    uint32_t first;
    uint32_t second;
    const char *third;
    int32_t (*fourth)(void *context);
};

static void test_old_maker(void)
{
    struct before made = {.first = 1, .second = 2};
    struct after storage = {.third = "not to be looked at"};
    made.header = (struct pawl_header)PAWL_HEADER(SINK, made);
    memcpy(&storage, &made, sizeof(made));
    const struct after *seen = &storage; /* by a reader that knows more */
    CU_ASSERT(PAWL_HAS(seen, header));
    CU_ASSERT(PAWL_HAS(seen, first));
    CU_ASSERT(PAWL_HAS(seen, second));
    CU_ASSERT(!PAWL_HAS(seen, third));
    CU_ASSERT(!PAWL_HAS(seen, fourth));
}

static void test_new_maker(void)
{
    struct after made = {.first = 1, .second = 2, .third = "3"};
    made.header = (struct pawl_header)PAWL_HEADER(SINK, made);
    CU_ASSERT(PAWL_HAS(&made, third));
    CU_ASSERT(PAWL_HAS(&made, fourth));
    struct before seen; /* by a reader that knows less */
    memcpy(&seen, &made, sizeof(seen));
    CU_ASSERT(PAWL_HAS(&seen, second));
    CU_ASSERT_EQUAL(seen.second, 2);
}

static void test_part_of_a_member(void)
{
    struct after made = {.third = "3"};
    made.header = (struct pawl_header)PAWL_HEADER(SINK, made);
    made.header.size = offsetof(struct after, fourth);
    CU_ASSERT(PAWL_HAS(&made, third));
    CU_ASSERT(!PAWL_HAS(&made, fourth));
    made.header.size = sizeof(made) - 1; /* half a pointer is none */
    CU_ASSERT(!PAWL_HAS(&made, fourth));
    made.header.size = 0;
    CU_ASSERT(!PAWL_HAS(&made, header));
}

/* --- Copies of descriptors ----------------------------------------------------------------- */

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    (void)host;
    (void)config;
    (void)why;
    (void)instance;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_NONE;
}

static const char *const *languages(void *instance)
{
    (void)instance;
    return NULL;
}

static int32_t run(void *instance, const struct pawl_run *view, const struct pawl_sink *why)
{
    (void)instance;
    (void)view;
    (void)why;
    return PAWL_OK;
}

static const struct pawl_provider provider = {
    .header = PAWL_HEADER(PROVIDER, provider),
    .name = "test",
    .create = create,
    .destroy = destroy,
    .level = level,
    .languages = languages,
    .run = run,
};

/* The library reads no byte behind what the maker says is there. */
static void test_no_reading_behind(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_PTR_NOT_EQUAL_FATAL(memory, MAP_FAILED);
    CU_ASSERT_EQUAL_FATAL(mprotect(memory + page, page, PROT_NONE), 0);
    struct pawl_provider copy;

    char *last = memory + page - sizeof(provider);
    memcpy(last, &provider, sizeof(provider));
    CU_ASSERT_EQUAL(plugin_copy_provider((void *)last, "test", &copy, NULL), PAWL_OK);
    CU_ASSERT_PTR_EQUAL(copy.run, run);

    struct pawl_header header = provider.header; /* one that says that it is only a header */
    header.size = sizeof(header);
    memcpy(memory + page - sizeof(header), &header, sizeof(header));
    CU_ASSERT_EQUAL(
        plugin_copy_provider((void *)(memory + page - sizeof(header)), "test", &copy, NULL),
        PAWL_E_PLUGIN);
    munmap(memory, 2 * page);
}

/* Of a later, longer descriptor the library takes what it knows, and no more than it has room for.
 */
static void test_longer(void)
{
    struct {
        struct pawl_provider known;
        char more[256];
    } longer = {.known = provider};
    struct {
        struct pawl_provider copy;
        char guard[256];
    } into;
    longer.known.header.size = sizeof(longer);
    longer.known.header.minor = PAWL_ABI_MINOR + 3;
    memset(longer.more, 0xee, sizeof(longer.more));
    memset(&into, 0x55, sizeof(into));
    CU_ASSERT_EQUAL(plugin_copy_provider(&longer.known, "test", &into.copy, NULL), PAWL_OK);
    CU_ASSERT_PTR_EQUAL(into.copy.run, run);
    CU_ASSERT_PTR_NULL(into.copy.get_extension);
    for (size_t i = 0; i < sizeof(into.guard); i++)
        CU_ASSERT_EQUAL(into.guard[i], 0x55);
}

int main(void)
{
    static CU_TestInfo has[] = {{"an older maker", test_old_maker},
                                {"a newer maker", test_new_maker},
                                {"part of a member", test_part_of_a_member},
                                CU_TEST_INFO_NULL};
    static CU_TestInfo copies[] = {{"nothing behind is read", test_no_reading_behind},
                                   {"a longer descriptor", test_longer},
                                   CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {{"PAWL_HAS", NULL, NULL, NULL, NULL, has},
                                    {"copies of descriptors", NULL, NULL, NULL, NULL, copies},
                                    CU_SUITE_INFO_NULL};
    return test_main(suites);
}
