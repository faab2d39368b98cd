/* The ranking of discover(query). */
#include <string.h>

#include "test.h"
#include "tools/pawl/discover.h"

static unsigned score(const char *query, const char *name, const char *description)
{
    return discover_score(query, strlen(query), name, description);
}

static void names_outrank_words(void)
{
    unsigned exact = score("get_logs", "tools.get_logs", "logs of a host");
    unsigned full = score("tools.get_logs", "tools.get_logs", NULL);
    unsigned prefix = score("get_", "tools.get_logs", NULL);
    unsigned word = score("fetch logs", "tools.get_logs", NULL);
    unsigned described = score("host", "tools.get_logs", "logs of a host");
    CU_ASSERT(exact > prefix);
    CU_ASSERT(full > prefix);
    CU_ASSERT(prefix > word);
    CU_ASSERT(word > described);
    CU_ASSERT(described > 0);
}

static void nothing_in_common_is_zero(void)
{
    CU_ASSERT_EQUAL(score("weather", "tools.get_logs", "logs of a host"), 0);
    CU_ASSERT_EQUAL(score("weather", "tools.get_logs", NULL), 0);
    CU_ASSERT_EQUAL(score("?!", "tools.get_logs", NULL), 0);
}

static void case_and_camel_case_do_not_matter(void)
{
    CU_ASSERT(score("GET_LOGS", "tools.get_logs", NULL) ==
              score("get_logs", "tools.get_logs", NULL));
    CU_ASSERT(score("logs", "tools.getLogs", NULL) > 0);
    CU_ASSERT(score("logs", "tools.get-logs", NULL) > 0);
    CU_ASSERT(score("log", "tools.get_logs", NULL) > 0);
    CU_ASSERT(score("logs", "tools.get_log", NULL) > 0);
}

static void empty_query_fits_everything(void)
{
    CU_ASSERT_EQUAL(score("", "tools.a", NULL), score("  ", "tools.b", "other"));
    CU_ASSERT(score("", "tools.a", NULL) > 0);
}

static void long_queries_cannot_outrank_a_name(void)
{
    char query[1001];
    for (size_t i = 0; i + 1 < sizeof(query); i += 5)
        memcpy(query + i, "logs ", 5);
    query[sizeof(query) - 1] = '\0';
    CU_ASSERT(score(query, "tools.get_logs", "logs") < score("get_logs", "tools.get_logs", NULL));
}

static void bytes_beyond_the_name_are_not_read(void)
{
    static const char query[] = "get_logs\0\0\0\0\0\0\0\0";
    CU_ASSERT_EQUAL(discover_score(query, sizeof(query), "get_logs", NULL) < 100000, 1);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"an exact name outranks a prefix, a word of the name, the description",
         names_outrank_words},
        {"nothing in common is no match", nothing_in_common_is_zero},
        {"case does not matter, camelCase has words", case_and_camel_case_do_not_matter},
        {"an empty query fits everything alike", empty_query_fits_everything},
        {"many words do not outrank a name", long_queries_cannot_outrank_a_name},
        {"a query may hold NUL", bytes_beyond_the_name_are_not_read},
        CU_TEST_INFO_NULL,
    };
    return test_suite("discover", tests);
}
