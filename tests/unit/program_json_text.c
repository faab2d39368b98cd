#include "providers/program/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

#define TEXT(literal) literal, sizeof literal - 1

static void check_valid(const char *text, size_t length, unsigned depth)
{
    struct program_json_report report;
    bool valid = program_json_check(text, length, 100, &report);
    if (!valid)
        printf("\n  of: %s\n  %s at %zu\n", text, report.reason, report.offset);
    CU_ASSERT_TRUE(valid);
    CU_ASSERT_PTR_NULL(report.reason);
    CU_ASSERT_EQUAL(report.offset, length);
    CU_ASSERT_EQUAL(report.depth, depth);
    CU_ASSERT_TRUE(program_json_check(text, length, depth, NULL));
    if (depth > 0)
        CU_ASSERT_FALSE(program_json_check(text, length, depth - 1, NULL));
}

static void check_invalid(const char *text, size_t length, size_t offset, const char *reason)
{
    struct program_json_report report;
    bool valid = program_json_check(text, length, 100, &report);
    if (valid || report.offset != offset || strstr(report.reason, reason) == NULL)
        printf("\n  of: %s\n  %s at %zu\n", text, valid ? "valid" : report.reason, report.offset);
    CU_ASSERT_FALSE_FATAL(valid);
    CU_ASSERT_EQUAL(report.offset, offset);
    CU_ASSERT_PTR_NOT_NULL(strstr(report.reason, reason));
}

static void test_valid(void)
{
    check_valid(TEXT("null"), 0);
    check_valid(TEXT("true"), 0);
    check_valid(TEXT(" \t\r\nfalse \t\r\n"), 0);
    check_valid(TEXT("0"), 0);
    check_valid(TEXT("-0"), 0);
    check_valid(TEXT("-0.0e-0"), 0);
    check_valid(TEXT("123.456E+789"), 0);
    check_valid(TEXT("1e5"), 0);
    check_valid(TEXT("\"\""), 0);
    check_valid(TEXT("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uFFFF\""), 0);
    check_valid(TEXT("\"\\ud800\""), 0);
    check_valid(TEXT("\"\\udc00\\ud800\""), 0);
    check_valid(TEXT("\"\\u0000\""), 0);
    check_valid(TEXT("\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\x7F\""), 0);
    check_valid(TEXT("\"\xE2\x80\xA8\xE2\x80\xA9\""), 0);
    check_valid(TEXT("[]"), 1);
    check_valid(TEXT("{}"), 1);
    check_valid(TEXT("[ ]"), 1);
    check_valid(TEXT("[1]"), 1);
    check_valid(TEXT("[1 , [2,[]], {}]"), 3);
    check_valid(TEXT("{\"a\":1}"), 1);
    check_valid(TEXT("{\"a\" : {\"b\":[null,true,false]}, \"a\" : 2 }"), 3);
    check_valid(TEXT("{\"\":0,\"__proto__\":[]}"), 2);
}

static void test_invalid(void)
{
    check_invalid(TEXT(""), 0, "no value");
    check_invalid(TEXT("  "), 2, "no value");
    check_invalid(TEXT("1 2"), 2, "nothing may follow");
    check_invalid(TEXT("[] []"), 3, "nothing may follow");
    check_invalid(TEXT("nul"), 0, "a value");
    check_invalid(TEXT("nulll"), 4, "nothing may follow");
    check_invalid(TEXT("True"), 0, "a value");
    check_invalid(TEXT("NaN"), 0, "a value");
    check_invalid(TEXT("-Infinity"), 1, "a digit");
    check_invalid(TEXT("undefined"), 0, "a value");
    check_invalid(TEXT("+1"), 0, "a value");
    check_invalid(TEXT("01"), 1, "begin with 0");
    check_invalid(TEXT("-01"), 2, "begin with 0");
    check_invalid(TEXT("-"), 1, "a digit");
    check_invalid(TEXT(".5"), 0, "a value");
    check_invalid(TEXT("5."), 2, "a digit");
    check_invalid(TEXT("1.e5"), 2, "a digit");
    check_invalid(TEXT("1e"), 2, "a digit");
    check_invalid(TEXT("1e+"), 3, "a digit");
    check_invalid(TEXT("0x10"), 1, "nothing may follow");
    check_invalid(TEXT("1_0"), 1, "nothing may follow");
    check_invalid(TEXT("\"a"), 2, "ends inside a string");
    check_invalid(TEXT("\"a\\"), 3, "ends inside a string");
    check_invalid(TEXT("\"\\u12"), 5, "ends inside a string");
    check_invalid(TEXT("\"\\u12g4\""), 5, "four hexadecimal");
    check_invalid(TEXT("\"\\x41\""), 2, "no such escape");
    check_invalid(TEXT("\"\\\0\""), 2, "no such escape");
    check_invalid(TEXT("\"\n\""), 1, "control character");
    check_invalid(TEXT("\"\0\""), 1, "control character");
    check_invalid(TEXT("\"\x1F\""), 1, "control character");
    check_invalid(TEXT("'a'"), 0, "a value");
    check_invalid(TEXT("\"\xFF\""), 1, "UTF-8");
    check_invalid(TEXT("\"\xC0\x80\""), 1, "UTF-8");
    check_invalid(TEXT("\"\xED\xA0\x80\""), 1, "UTF-8");
    check_invalid(TEXT("\"\xF4\x90\x80\x80\""), 1, "UTF-8");
    check_invalid(TEXT("\"\xC3"), 1, "UTF-8");
    check_invalid(TEXT("\xEF\xBB\xBF[]"), 0, "a value");
    check_invalid(TEXT("\xC2\xA0[]"), 0, "a value");
    check_invalid(TEXT("[\v]"), 1, "a value");
    check_invalid(TEXT("\0"), 0, "a value");
    check_invalid(TEXT("1\0"), 1, "nothing may follow");
    check_invalid(TEXT("["), 1, "ends before");
    check_invalid(TEXT("[1"), 2, "ends before");
    check_invalid(TEXT("[1,"), 3, "ends before");
    check_invalid(TEXT("[1,]"), 3, "a value");
    check_invalid(TEXT("[,1]"), 1, "a value");
    check_invalid(TEXT("[1 2]"), 3, "a comma or ]");
    check_invalid(TEXT("[1}"), 2, "a comma or ]");
    check_invalid(TEXT("{"), 1, "ends before");
    check_invalid(TEXT("{a:1}"), 1, "a key in quotes");
    check_invalid(TEXT("{1:1}"), 1, "a key in quotes");
    check_invalid(TEXT("{\"a\"}"), 4, "a colon");
    check_invalid(TEXT("{\"a\" 1}"), 5, "a colon");
    check_invalid(TEXT("{\"a\":}"), 5, "a value");
    check_invalid(TEXT("{\"a\":1,}"), 7, "a key in quotes");
    check_invalid(TEXT("{\"a\":1]"), 6, "a comma or }");
    check_invalid(TEXT("{\"a\":1 \"b\":2}"), 7, "a comma or }");
    check_invalid(TEXT("{,}"), 1, "a key in quotes");
    check_invalid(TEXT("]"), 0, "a value");
    check_invalid(TEXT("// a\n1"), 0, "a value");
    check_invalid(TEXT("/* a */ 1"), 0, "a value");
}

static void test_extent(void)
{
    struct program_json_report report;
    CU_ASSERT_TRUE(program_json_check(TEXT("\n {\"a\":1} "), 1, &report));
    CU_ASSERT_EQUAL(report.start, 2);
    CU_ASSERT_EQUAL(report.length, 7);
    CU_ASSERT_FALSE(program_json_check(TEXT("1 x"), 1, &report));
    CU_ASSERT_EQUAL(report.length, 1);
}

static void test_depth(void)
{
    enum { DEPTH = PROGRAM_JSON_DEPTH_MAX };
    struct program_json_report report;
    char *text = malloc(2 * DEPTH);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    CU_ASSERT_TRUE(program_json_check(text, 2 * DEPTH, DEPTH, &report));
    CU_ASSERT_EQUAL(report.depth, DEPTH);
    CU_ASSERT_FALSE(program_json_check(text, 2 * DEPTH, DEPTH - 1, &report));
    CU_ASSERT_EQUAL(report.offset, DEPTH - 1);
    CU_ASSERT_STRING_EQUAL(report.reason, "it is nested too deeply");
    CU_ASSERT_FALSE(program_json_check(text, DEPTH, DEPTH, &report));
    memset(text, '[', DEPTH + 1);
    CU_ASSERT_FALSE(program_json_check(text, DEPTH + 1, 1000000000, &report));
    CU_ASSERT_EQUAL(report.offset, DEPTH);
    free(text);
    CU_ASSERT_TRUE(program_json_check(TEXT("1"), 0, NULL));
    CU_ASSERT_FALSE(program_json_check(TEXT("[]"), 0, NULL));
}

static void test_mixed_depth(void)
{
    char text[8192];
    struct program_json_report report;
    size_t used = 0;
    for (int i = 0; i < 1000; i++)
        used += (size_t)sprintf(text + used, i % 3 == 0 ? "{\"a\":" : "[");
    used += (size_t)sprintf(text + used, "0");
    size_t bottom = used;
    for (int i = 1000; i-- > 0;)
        text[used++] = i % 3 == 0 ? '}' : ']';
    CU_ASSERT_TRUE(program_json_check(text, used, 1000, &report));
    for (size_t i = bottom; i < used; i++) {
        text[i] ^= '}' ^ ']';
        CU_ASSERT_FALSE(program_json_check(text, used, 1000, &report));
        CU_ASSERT_EQUAL(report.offset, i);
        text[i] ^= '}' ^ ']';
    }
}

static void check_string(const char *text, size_t length, const char *expected)
{
    struct program_buffer buffer = {0};
    CU_ASSERT_TRUE(program_json_put_string(&buffer, text, length));
    CU_ASSERT_EQUAL(buffer.length, strlen(expected));
    CU_ASSERT_EQUAL(memcmp(buffer.data, expected, buffer.length), 0);
    CU_ASSERT_TRUE(program_json_check(buffer.data, buffer.length, 0, NULL));
    program_buffer_release(&buffer);
}

static void test_put_string(void)
{
    check_string(TEXT(""), "\"\"");
    check_string(TEXT("abc"), "\"abc\"");
    check_string(TEXT("a\"b\\c/"), "\"a\\\"b\\\\c/\"");
    check_string(TEXT("\b\f\n\r\t\v\x1F\x7F"), "\"\\b\\f\\n\\r\\t\\u000b\\u001f\x7F\"");
    check_string(TEXT("a\0b"), "\"a\\u0000b\"");
    check_string(TEXT("\xC0\x80"), "\"\\u0000\"");
    check_string(TEXT("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"),
                 "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    check_string(TEXT("\xE2\x80\xA8\xE2\x80\xA9"), "\"\xE2\x80\xA8\xE2\x80\xA9\"");
    check_string(TEXT("\xED\xA0\xBD\xED\xB8\x80"), "\"\xF0\x9F\x98\x80\""); /* CESU-8 */
    check_string(TEXT("\xED\xA0\xBD"), "\"\\ud83d\"");
    check_string(TEXT("\xED\xB8\x80\xED\xA0\xBD"), "\"\\ude00\\ud83d\"");
    check_string(TEXT("\xED\xA0\xBDx\xED\xB8\x80"), "\"\\ud83dx\\ude00\"");
    check_string(TEXT("a\xFF\xC3"), "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void check_utf16(const uint16_t *units, size_t length, const char *expected)
{
    struct program_buffer buffer = {0};
    CU_ASSERT_TRUE(program_json_put_utf16(&buffer, units, length));
    CU_ASSERT_EQUAL(buffer.length, strlen(expected));
    CU_ASSERT_EQUAL(memcmp(buffer.data, expected, buffer.length), 0);
    program_buffer_release(&buffer);
}

static void test_put_utf16(void)
{
    check_utf16(NULL, 0, "\"\"");
    check_utf16((uint16_t[]){'a', 0, '"', 0xE4, 0x20AC}, 5, "\"a\\u0000\\\"\xC3\xA4\xE2\x82\xAC\"");
    check_utf16((uint16_t[]){0xD83D, 0xDE00}, 2, "\"\xF0\x9F\x98\x80\"");
    check_utf16((uint16_t[]){0xDE00, 0xD83D}, 2, "\"\\ude00\\ud83d\"");
    check_utf16((uint16_t[]){0xD83D, 'x', 0xD83D}, 3, "\"\\ud83dx\\ud83d\"");
    check_utf16((uint16_t[]){0xDBFF, 0xDFFF, 0xFFFF}, 3, "\"\xF4\x8F\xBF\xBF\xEF\xBF\xBF\"");
}

static void test_buffer(void)
{
    struct program_buffer buffer = {.limit = 10};
    CU_ASSERT_TRUE(program_buffer_append(&buffer, "", 0));
    CU_ASSERT_TRUE(program_buffer_append(&buffer, "12345", 5));
    CU_ASSERT_FALSE(program_json_put_string(&buffer, "1234", 4));
    CU_ASSERT_EQUAL(buffer.length, 5);
    CU_ASSERT_TRUE(buffer.is_over);
    CU_ASSERT_FALSE(buffer.has_no_memory);
    CU_ASSERT_FALSE(program_buffer_append(&buffer, "1", 1));
    program_buffer_release(&buffer);
    CU_ASSERT_EQUAL(buffer.limit, 10);
    CU_ASSERT_TRUE(program_json_put_string(&buffer, "12345678", 8));
    CU_ASSERT_EQUAL(buffer.length, 10);
    CU_ASSERT_EQUAL(memcmp(buffer.data, "\"12345678\"", 10), 0);
    program_buffer_release(&buffer);
    for (size_t limit = 1; limit < 12; limit++) {
        buffer.limit = limit;
        CU_ASSERT_FALSE(program_json_put_string(&buffer, "\n\"\x01z", 4));
        CU_ASSERT_EQUAL(buffer.length, 0);
        program_buffer_release(&buffer);
    }
    buffer.limit = 0;
    for (int i = 0; i < 100000; i++)
        CU_ASSERT_TRUE_FATAL(program_buffer_append(&buffer, "abc", 3));
    CU_ASSERT_EQUAL(buffer.length, 300000);
    CU_ASSERT_FALSE(program_buffer_append(&buffer, "", SIZE_MAX / 2));
    CU_ASSERT_TRUE(buffer.has_no_memory);
    program_buffer_release(&buffer);
}

void program_json_text_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: json_text", NULL, NULL);
    CU_ADD_TEST(suite, test_valid);
    CU_ADD_TEST(suite, test_invalid);
    CU_ADD_TEST(suite, test_extent);
    CU_ADD_TEST(suite, test_depth);
    CU_ADD_TEST(suite, test_mixed_depth);
    CU_ADD_TEST(suite, test_put_string);
    CU_ADD_TEST(suite, test_put_utf16);
    CU_ADD_TEST(suite, test_buffer);
}
