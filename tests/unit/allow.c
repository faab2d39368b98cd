/* The stage `allow`: its patterns, its configuration and its verdicts. */
#include <pawl/stage.h>

#include <stdlib.h>
#include <string.h>

#include "stages/common/glob.h"
#include "test.h"

static char text[4096];

static void write_text(void *context, const char *piece, size_t size)
{
    (void)context;
    strncat(text, piece, size < sizeof(text) - strlen(text) - 1 ? size : 0);
}

static const struct pawl_sink why = {
    .header = PAWL_HEADER(SINK, why),
    .write = write_text,
};

static void patterns(void)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"tools.get_*", "tools.get_logs", true},
        {"tools.get_*", "tools.get_", true},
        {"tools.get_*", "tools.set_logs", false},
        {"tools.get_*", "xtools.get_logs", false},
        {"*", "anything.at all", true},
        {"*", "", true},
        {"a.b", "a.b", true},
        {"a.b", "axb", false},
        {"a.b", "a.bc", false},
        {"a.b", "a.B", false},
        {"a.?", "a.b", true},
        {"a.?", "a.", false},
        {"a.?", "a.\xC3\xA9", true},
        {"a.??", "a.\xC3\xA9", false},
        {"*.set_*", "tools.set_x", true},
        {"*a*b*c", "xxaxxbxxc", true},
        {"*a*b*c", "xxaxxbxxcx", false},
        {"a\\*", "a*", true},
        {"a\\*", "ab", false},
        {"a\\?", "a?", true},
        {"\\\\", "\\", true},
        {"[ab]", "[ab]", true},
        {"[ab]", "a", false},
        {"**", "x", true},
        {"a**b", "ab", true},
        {"", "", true},
        {"", "a", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        if (glob_match(cases[i].pattern, cases[i].name) != cases[i].matches)
            TEST_TEXT(cases[i].pattern, cases[i].name);
}

static void patterns_made_to_be_slow(void)
{
    char *name = malloc(100001), pattern[] = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
    memset(name, 'a', 100000);
    name[100000] = '\0';
    CU_ASSERT_FALSE(glob_match(pattern, name));
    free(name);
}

static void *create(const char *config, const char *complaint)
{
    const struct pawl_stage *stage = pawl_stage_entry_v1();
    void *instance = NULL;
    *text = '\0';
    int32_t status = stage->create(config, &why, &instance);
    TEST_TEXT(text, complaint);
    CU_ASSERT_EQUAL(status, *complaint == '\0' ? PAWL_OK : PAWL_E_CONFIG);
    CU_ASSERT((instance == NULL) == (status != PAWL_OK));
    return instance;
}

static void configuration(void)
{
    create("{}", "\"allow\" is missing; [] allows nothing");
    create("[]", "the configuration must be a JSON object: {\"allow\": [\"tools.get_*\"]}");
    create("{\"allow\": \"*\"}", "\"allow\" must be an array of patterns such as \"tools.get_*\"");
    create("{\"allow\": [\"a\", 1]}", "\"allow\"[1] must be a string such as \"tools.get_*\"");
    create("{\"allow\": [null]}", "\"allow\"[0] must be a string such as \"tools.get_*\"");
    create("{\"allow\": [\"a\\u0000b\"]}", "\"allow\"[0] must be a string such as \"tools.get_*\"");
    create("{\"allow\": [], \"deny\": [\"\"]}", "\"deny\"[0]: an empty pattern matches nothing");
    create("{\"allow\": [\"a\\\\\"]}",
           "\"allow\"[0]: the backslash at the end of this pattern stands before nothing");
    create("{\"allow\": [], \"permit\": []}",
           "unknown key \"permit\"; known here: \"allow\", \"deny\"");
}

static uint32_t judge(void *instance, const char *name, const char *reason)
{
    struct pawl_stage_call call = {
        .header = {PAWL_MAGIC_STAGE_CALL, sizeof(call), PAWL_ABI_MAJOR, PAWL_ABI_MINOR},
        .run = "1",
        .number = 1,
        .name = name,
        .namespace_name = "",
        .function = "",
    };
    uint32_t verdict = 99;
    *text = '\0';
    CU_ASSERT_EQUAL(pawl_stage_entry_v1()->judge(instance, &call, &why, &verdict), PAWL_OK);
    TEST_TEXT(text, reason);
    return verdict;
}

static void verdicts(void)
{
    void *instance =
        create("{\"allow\": [\"tools.get_*\", \"db.*\"], \"deny\": [\"*.get_secret\"]}", "");
    CU_ASSERT_EQUAL(judge(instance, "tools.get_logs", ""), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "db.query", ""), PAWL_VERDICT_ALLOW);
    CU_ASSERT_EQUAL(judge(instance, "tools.get_secret",
                          "tools.get_secret is denied by the pattern \"*.get_secret\""),
                    PAWL_VERDICT_DENY);
    CU_ASSERT_EQUAL(
        judge(instance, "tools.set_x", "tools.set_x is not among the functions that are allowed"),
        PAWL_VERDICT_DENY);
    pawl_stage_entry_v1()->destroy(instance);
    instance = create("{\"allow\": []}", "");
    CU_ASSERT_EQUAL(judge(instance, "a.b", "a.b is not among the functions that are allowed"),
                    PAWL_VERDICT_DENY);
    pawl_stage_entry_v1()->destroy(instance);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"patterns", patterns},
        {"patterns that were made to be slow", patterns_made_to_be_slow},
        {"its configuration", configuration},
        {"its verdicts", verdicts},
        CU_TEST_INFO_NULL,
    };
    return test_suite("allow", tests);
}
