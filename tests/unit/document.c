/* The reader of JSON that people write: what it accepts, refuses, and where it says things are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/document.h"
#include "test.h"

/* Reads a text; returns "" or the complaint, which stays until the next call. */
static const char *complaint_about(const char *text, size_t size)
{
    static char error[sizeof(((struct document *)NULL)->error)];
    DOCUMENT_CLEANUP struct document document;
    /* An exact copy, so that a sanitizer sees what is read beyond it. */
    char *copy = malloc(size + (size == 0));
    memcpy(copy, text, size);
    *error = '\0';
    if (!document_parse(&document, "f", copy, size))
        snprintf(error, sizeof(error), "%s", document.error);
    free(copy);
    return error;
}

static void refuse(const char *text, const char *complaint)
{
    TEST_TEXT(complaint_about(text, strlen(text)), complaint);
}

static void accept(const char *text)
{
    TEST_TEXT(complaint_about(text, strlen(text)), "");
}

static void accepts_json(void)
{
    accept("null");
    accept(" \t\r\n[true,false,null,0,-0,1.5,-1e+9,2E-3,\"\"]\n");
    accept("{\"a\":{\"b\":[]},\"c\":{}}");
    accept("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00\"");
    accept("\xEF\xBB\xBF{}");
}

static void accepts_comments(void)
{
    accept("// first\n{ /* a */ \"a\" /**/ : // end\n 1 /* \" */ } // last");
    accept("/* \xC3\xA9 */ \"// no comment /* here */\"");
    accept("{\"a\": \"\\\"//\"}");
    refuse("/* open", "f:1:1: this comment does not end");
    refuse("[1, /]", "f:1:5: expected a value, found '/'");
    refuse("{} /* \xFF */", "f:1:7: this is not UTF-8 text");
}

static void refuses_what_is_not_json(void)
{
    refuse("", "f:1:1: the file ends where a value was expected");
    refuse("[1", "f:1:3: the file ends where ',' or ']' was expected");
    refuse("{\"a\"", "f:1:5: the file ends where ':' after a key was expected");
    refuse("{\n  \"a\": 1,\n}", "f:3:1: a comma must not stand before '}'");
    refuse("[1,]", "f:1:4: a comma must not stand before ']'");
    refuse("[1 2]", "f:1:4: expected ',' or ']', found '2'");
    refuse("{a: 1}", "f:1:2: expected a key in double quotes, found 'a'");
    refuse("{'a': 1}", "f:1:2: expected a key in double quotes, found '''");
    refuse("[NaN]", "f:1:2: expected a value, found 'N'");
    refuse("[-Infinity]", "f:1:3: expected a digit, found 'I'");
    refuse("[01]", "f:1:3: expected ',' or ']', found '1'");
    refuse("[1.]", "f:1:4: expected a digit, found ']'");
    refuse("[.5]", "f:1:2: expected a value, found '.'");
    refuse("[1e]", "f:1:4: expected a digit, found ']'");
    refuse("[nul]", "f:1:2: expected a value, found 'n'");
    refuse("{} x", "f:1:4: expected the end of the file, found 'x'");
    refuse("[\xC3\xA9]", "f:1:2: expected a value, found '\xC3\xA9'");
    refuse("[\x01]", "f:1:2: expected a value, found the control character U+0001");
    TEST_TEXT(complaint_about("[\0]", 3),
              "f:1:2: expected a value, found the control character U+0000");
}

static void refuses_malformed_strings(void)
{
    refuse("\"a", "f:1:1: this string does not end on its line");
    refuse("[\"a\n\"]", "f:1:2: this string does not end on its line");
    refuse("\"a\tb\"", "f:1:3: a string cannot hold the control character U+0009");
    refuse("\"\\x\"", "f:1:2: a backslash is followed by one of \" \\ / b f n r t u");
    refuse("\"\\u12g4\"", "f:1:6: expected four hexadecimal digits, found 'g'");
    refuse("\"\\ud800\"", "f:1:2: this is half of a surrogate pair");
    refuse("\"\\ud800\\u0041\"", "f:1:2: this is half of a surrogate pair");
    refuse("\"\\udc00\"", "f:1:2: this is half of a surrogate pair");
    refuse("\"\\", "f:1:2: a backslash is followed by one of \" \\ / b f n r t u");
}

static void refuses_malformed_utf8(void)
{
    static const char *const malformed[] = {"\x80",
                                            "\xC0\x80",
                                            "\xC3",
                                            "\xE0\x80\x80",
                                            "\xED\xA0\x80",
                                            "\xF0\x80\x80\x80",
                                            "\xF4\x90\x80\x80",
                                            "\xFF",
                                            "\xE2\x82"};
    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
        char text[16];
        snprintf(text, sizeof(text), "\"a%s\"", malformed[i]);
        refuse(text, "f:1:3: this is not UTF-8 text");
    }
    accept("\"\xC2\x80 \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF\"");
}

static void refuses_duplicate_keys(void)
{
    refuse("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}",
           "f:3:2: the key \"a\" was given before, on line 1");
    refuse("[{\"x\": {\"k\": 1, \"\\u006b\": 2}}]",
           "f:1:17: the key \"k\" was given before, on line 1");
    refuse("{\"a\\u0000b\": 1}", "f:1:2: a key cannot hold U+0000");
    accept("[{\"a\": 1}, {\"a\": {\"a\": 2}}]");
}

static void refuses_depth_and_size(void)
{
    char text[1024];
    memset(text, '[', 1000);
    text[1000] = '\0';
    refuse(text, "f:1:66: values are nested deeper than 64");
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    text[130] = '\0';
    accept(text);
    char *large = calloc(1, DOCUMENT_MAX + 1);
    memset(large, ' ', DOCUMENT_MAX);
    large[0] = '1';
    TEST_TEXT(complaint_about(large, DOCUMENT_MAX + 1), "f: larger than 4 MiB");
    TEST_TEXT(complaint_about(large, DOCUMENT_MAX), "");
    free(large);
}

static void knows_where_everything_is(void)
{
    static const char text[] = "/* \xC3\xA9 */ {\n"
                               "  \"\xC3\xA9\": [1, // one\n"
                               "         {\"b\": \"x\\u0000y\"}]}";
    DOCUMENT_CLEANUP struct document document;
    CU_ASSERT_FATAL(document_parse(&document, "f", text, sizeof(text) - 1));
    const struct node *root = document.root, *list = root->first;
    CU_ASSERT_EQUAL(root->line, 1);
    CU_ASSERT_EQUAL(root->column, 9);
    CU_ASSERT_EQUAL(root->count, 1);
    TEST_TEXT(list->key, "\xC3\xA9");
    CU_ASSERT_EQUAL(list->key_line, 2);
    CU_ASSERT_EQUAL(list->key_column, 3);
    CU_ASSERT_EQUAL(list->column, 8);
    CU_ASSERT_EQUAL(list->count, 2);
    const struct node *object = list->first->next, *string = object->first;
    CU_ASSERT_EQUAL(object->line, 3);
    CU_ASSERT_EQUAL(object->column, 10);
    CU_ASSERT_EQUAL(string->string_size, 3);
    CU_ASSERT(memcmp(string->string, "x\0y", 4) == 0);
    CU_ASSERT_EQUAL(string->parent, object);
    /* The text of a value has its comments blanked and is JSON again. */
    char *copy = strndup(list->text, list->text_size);
    TEST_TEXT(copy, "[1,       \n         {\"b\": \"x\\u0000y\"}]");
    free(copy);
}

static void reads_regular_files_only(void)
{
    char *directory = test_make_directory(), path[512], expected[600];
    DOCUMENT_CLEANUP struct document document;
    snprintf(path, sizeof(path), "%s/none", directory);
    CU_ASSERT_FALSE(document_read(&document, path));
    snprintf(expected, sizeof(expected), "%s: No such file or directory", path);
    TEST_TEXT(document.error, expected);
    document_clear(&document);
    CU_ASSERT_FALSE(document_read(&document, directory));
    snprintf(expected, sizeof(expected), "%s: not a regular file", directory);
    TEST_TEXT(document.error, expected);
    document_clear(&document);
    snprintf(path, sizeof(path), "%s/fifo", directory);
    CU_ASSERT_FATAL(mkfifo(path, 0600) == 0);
    CU_ASSERT_FALSE(document_read(&document, path));
    test_remove_directory(directory);
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"accepts JSON", accepts_json},
        {"accepts comments", accepts_comments},
        {"refuses what is not JSON", refuses_what_is_not_json},
        {"refuses malformed strings", refuses_malformed_strings},
        {"refuses malformed UTF-8", refuses_malformed_utf8},
        {"refuses duplicate keys", refuses_duplicate_keys},
        {"refuses depth and size", refuses_depth_and_size},
        {"knows where everything is", knows_where_everything_is},
        {"reads regular files only", reads_regular_files_only},
        CU_TEST_INFO_NULL,
    };
    return test_suite("document", tests);
}
