/* Levels, sizes, times, budgets, growing text and errors. */
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/error.h"
#include "tests/unit/test.h"

static void levels_have_names(void)
{
    const char *const names[] = {"none", "process", "os", "machine"};
    for (uint32_t level = 0; level < 4; level++) {
        uint32_t parsed = 99;
        TEST_TEXT(pawl_level_name(level), names[level]);
        CU_ASSERT_EQUAL(pawl_level_parse(names[level], &parsed, NULL), PAWL_OK);
        CU_ASSERT_EQUAL(parsed, level);
    }
    CU_ASSERT_PTR_NULL(pawl_level_name(4));
}

static void unknown_levels_are_errors(void)
{
    const char *const wrong[] = {"", "OS", "os ", "kernel", "0", "processes"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        uint32_t level = 77;
        pawl_error *error = NULL;
        CU_ASSERT_EQUAL(pawl_level_parse(wrong[i], &level, &error), PAWL_E_UNKNOWN);
        CU_ASSERT_EQUAL(level, 77);
        CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(pawl_error_message(error), "none, process, os"));
        pawl_error_free(error);
    }
}

struct unit_case {
    const char *text;
    int status;
    uint64_t value;
};

static void sizes_are_read(void)
{
    static const struct unit_case cases[] = {
        {"0", PAWL_OK, 0},
        {"17", PAWL_OK, 17},
        {"1K", PAWL_OK, 1024},
        {"64M", PAWL_OK, 64ull << 20},
        {"2G", PAWL_OK, 2ull << 30},
        {"256KiB", PAWL_OK, 256ull << 10},
        {"3MiB", PAWL_OK, 3ull << 20},
        {"1GiB", PAWL_OK, 1ull << 30},
        {"18446744073709551615", PAWL_OK, UINT64_MAX},
        {"18446744073709551616", PAWL_E_LIMIT, 0},
        {"99999999999999999999999", PAWL_E_LIMIT, 0},
        {"17179869184G", PAWL_E_LIMIT, 0},
        {"", PAWL_E_ARGUMENT, 0},
        {"M", PAWL_E_ARGUMENT, 0},
        {"-1", PAWL_E_ARGUMENT, 0},
        {"+1", PAWL_E_ARGUMENT, 0},
        {" 1", PAWL_E_ARGUMENT, 0},
        {"1 M", PAWL_E_ARGUMENT, 0},
        {"1.5M", PAWL_E_ARGUMENT, 0},
        {"1MB", PAWL_E_ARGUMENT, 0},
        {"1m", PAWL_E_ARGUMENT, 0},
        {"0x10", PAWL_E_ARGUMENT, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t value = 0;
        CU_ASSERT_EQUAL(pawl_size_parse(cases[i].text, &value, NULL), cases[i].status);
        CU_ASSERT_EQUAL(value, cases[i].value);
    }
}

static void times_are_read(void)
{
    static const struct unit_case cases[] = {
        {"1500ms", PAWL_OK, 1500},    {"30s", PAWL_OK, 30000},
        {"10m", PAWL_OK, 600000},     {"1h", PAWL_OK, 3600000},
        {"0s", PAWL_OK, 0},           {"5", PAWL_E_ARGUMENT, 0},
        {"5 s", PAWL_E_ARGUMENT, 0},  {"s", PAWL_E_ARGUMENT, 0},
        {"1d", PAWL_E_ARGUMENT, 0},   {"-5s", PAWL_E_ARGUMENT, 0},
        {"1e3s", PAWL_E_ARGUMENT, 0}, {"18446744073709551615s", PAWL_E_LIMIT, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t value = 0;
        CU_ASSERT_EQUAL(pawl_duration_parse(cases[i].text, &value, NULL), cases[i].status);
        CU_ASSERT_EQUAL(value, cases[i].value);
    }
}

static void what_is_printed_is_read(void)
{
    static const struct {
        uint64_t value;
        const char *size;
        const char *time;
    } cases[] = {
        {0, "0", "0ms"},
        {1, "1", "1ms"},
        {1000, "1000", "1s"},
        {1024, "1KiB", "1024ms"},
        {60000, "60000", "1m"},
        {3600000, "3600000", "1h"},
        {64ull << 20, "64MiB", "67108864ms"},
        {UINT64_MAX, "18446744073709551615", "18446744073709551615ms"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[PAWL_UNIT_SIZE];
        uint64_t value = 1;
        CU_ASSERT_EQUAL(pawl_size_print(text, sizeof(text), cases[i].value), strlen(text));
        TEST_TEXT(text, cases[i].size);
        CU_ASSERT_EQUAL(pawl_size_parse(text, &value, NULL), PAWL_OK);
        CU_ASSERT_EQUAL(value, cases[i].value);
        pawl_duration_print(text, sizeof(text), cases[i].value);
        TEST_TEXT(text, cases[i].time);
        CU_ASSERT_EQUAL(pawl_duration_parse(text, &value, NULL), PAWL_OK);
        CU_ASSERT_EQUAL(value, cases[i].value);
    }
}

static void budgets_merge_to_the_higher(void)
{
    struct pawl_budget a = pawl_budget_empty();
    struct pawl_budget b = pawl_budget_empty();
    CU_ASSERT_EQUAL(a.header.magic, PAWL_MAGIC_BUDGET);
    CU_ASSERT_EQUAL(a.header.size, sizeof(a));
    a.wall_clock = 5000;
    a.max_calls = 3;
    b.wall_clock = 1000;
    b.max_calls = 9;
    b.max_memory = 7;
    pawl_budget_merge(&a, &b);
    CU_ASSERT_EQUAL(a.wall_clock, 5000);
    CU_ASSERT_EQUAL(a.max_calls, 9);
    CU_ASSERT_EQUAL(a.max_bytes, 0);
    CU_ASSERT_EQUAL(a.max_memory, 7);
}

static void text_grows_to_its_limit(void)
{
    struct buffer buffer BUFFER_CLEANUP = {.limit = 10};
    buffer_string(&buffer, "12345");
    buffer_format(&buffer, "%d", 678);
    CU_ASSERT_EQUAL(buffer.failed, PAWL_OK);
    buffer_string(&buffer, "901");
    CU_ASSERT_EQUAL(buffer.failed, PAWL_E_LIMIT);
    TEST_TEXT(buffer.data, "12345678");
    buffer_string(&buffer, "9");
    CU_ASSERT_EQUAL(buffer.size, 8);
    CU_ASSERT_PTR_NULL(buffer_take(&buffer));

    char *empty = buffer_take(&buffer);
    TEST_TEXT(empty, "");
    free(empty);
}

static void long_formats_are_whole(void)
{
    struct buffer buffer BUFFER_CLEANUP = {0};
    char text[1001];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    buffer_format(&buffer, "<%s>", text);
    CU_ASSERT_EQUAL(buffer.size, 1002);
    CU_ASSERT_EQUAL(buffer.data[1001], '>');
}

static void a_sink_cuts_between_characters(void)
{
    struct buffer buffer BUFFER_CLEANUP = {.limit = 4};
    struct pawl_sink sink = buffer_sink(&buffer);
    sink.write(sink.context, "ab", 2);
    sink.write(sink.context, "\xE2\x82\xAC", 3);
    TEST_TEXT(buffer.data, "ab");
    CU_ASSERT_EQUAL(buffer.failed, PAWL_E_LIMIT);
}

static void errors_say_what(void)
{
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL(error_set(&error, PAWL_E_CONFIG, "%s is %d", "this", 1), PAWL_E_CONFIG);
    CU_ASSERT_EQUAL(pawl_error_code(error), PAWL_E_CONFIG);
    TEST_TEXT(pawl_error_message(error), "this is 1");
    CU_ASSERT_EQUAL(error_prefix(&error, "file %d", 2), PAWL_E_CONFIG);
    TEST_TEXT(pawl_error_message(error), "file 2: this is 1");
    CU_ASSERT_EQUAL(pawl_error_refusals(error), 0);
    pawl_error_free(error);
    CU_ASSERT_EQUAL(error_set(NULL, PAWL_E_LIMIT, "unheard"), PAWL_E_LIMIT);
    pawl_error_free(NULL);
}

static void errors_carry_refusals(void)
{
    struct refusals refusals = {0};
    CU_ASSERT_EQUAL(refusals_add(&refusals, "a", PAWL_LEVEL_OS, "because"), PAWL_OK);
    CU_ASSERT_EQUAL(refusals_add(&refusals, "b", PAWL_LEVEL_NONE, "why not"), PAWL_OK);
    pawl_error *error = NULL;
    error_set_refused(&error, PAWL_E_NO_PROVIDER, &refusals, "nobody");
    CU_ASSERT_EQUAL(refusals.count, 0);
    CU_ASSERT_EQUAL_FATAL(pawl_error_refusals(error), 2);
    const char *id;
    const char *why;
    uint32_t level;
    pawl_error_refusal(error, 1, &id, &level, &why);
    TEST_TEXT(id, "b");
    TEST_TEXT(why, "why not");
    CU_ASSERT_EQUAL(level, PAWL_LEVEL_NONE);
    pawl_error_refusal(error, 2, &id, NULL, &why);
    CU_ASSERT_PTR_NULL(id);
    CU_ASSERT_PTR_NULL(why);
    pawl_error_free(error);
}

static void no_memory_is_an_error_too(void)
{
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL(error_memory(&error), PAWL_E_MEMORY);
    CU_ASSERT_EQUAL(error_prefix(&error, "here"), PAWL_E_MEMORY);
    TEST_TEXT(pawl_error_message(error), "out of memory");
    pawl_error_free(error);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"levels have names", levels_have_names},
        {"unknown levels are errors", unknown_levels_are_errors},
        {"sizes are read", sizes_are_read},
        {"times are read", times_are_read},
        {"what is printed is read", what_is_printed_is_read},
        {"budgets merge to the higher", budgets_merge_to_the_higher},
        {"text grows to its limit", text_grows_to_its_limit},
        {"long formats are whole", long_formats_are_whole},
        {"a sink cuts between characters", a_sink_cuts_between_characters},
        {"errors say what", errors_say_what},
        {"errors carry refusals", errors_carry_refusals},
        {"no memory is an error too", no_memory_is_an_error_too},
        CU_TEST_INFO_NULL,
    };
    return test_suite("values", tests);
}
