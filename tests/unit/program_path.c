#include "providers/program/path.h"

#include <string.h>

#include "program.h"

static void test_steps(void)
{
    struct program_path path;
    program_path_start(&path, "value");
    CU_ASSERT_STRING_EQUAL(path.text, "value");
    program_path_member(&path, "items", 5);
    program_path_index(&path, 3);
    program_path_member(&path, "score", 5);
    CU_ASSERT_STRING_EQUAL(path.text, "value.items[3].score");
    CU_ASSERT_EQUAL(path.length, strlen(path.text));
    program_path_member(&path, "odd key", 7);
    CU_ASSERT_STRING_EQUAL(path.text, "value.items[3].score[\"odd key\"]");
    program_path_start(&path, "value");
    program_path_member(&path, "", 0);
    program_path_member(&path, "0", 1);
    program_path_member(&path, "$_9", 3);
    program_path_member(&path, "a\"b\n\0", 5);
    program_path_member(&path, "\xC3\xA4\xED\xA0\x80", 5);
    CU_ASSERT_STRING_EQUAL(path.text,
                           "value[\"\"][\"0\"].$_9[\"a\\\"b\\n\\u0000\"][\"\xC3\xA4\\ud800\"]");
    program_path_start(&path, "v");
    program_path_index(&path, UINT64_MAX);
    CU_ASSERT_STRING_EQUAL(path.text, "v[18446744073709551615]");
}

static void test_long_path(void)
{
    struct program_path path;
    program_path_start(&path, "value");
    for (int i = 0; i < 5000; i++) {
        program_path_member(&path, "child", 5);
        CU_ASSERT_FATAL(path.length < sizeof path.text && strlen(path.text) == path.length);
    }
    program_path_index(&path, 7);
    CU_ASSERT_TRUE(path.is_cut);
    CU_ASSERT_EQUAL(strncmp(path.text, "value.child.child", 17), 0);
    CU_ASSERT_STRING_EQUAL(path.text + path.length - 11, "child\xE2\x80\xA6[7]");
}

static void test_long_key(void)
{
    struct program_path path;
    char key[1000];
    memset(key, 'k', sizeof key);
    program_path_start(&path, "value");
    program_path_member(&path, key, sizeof key);
    CU_ASSERT_EQUAL(strncmp(path.text, "value[\"kkkk", 11), 0);
    CU_ASSERT_STRING_EQUAL(path.text + path.length - 6, "k\xE2\x80\xA6\"]");
    /* Never cut inside a character or an escape. */
    for (size_t i = 0; i < 100; i++) {
        memset(key, 'k', sizeof key);
        memcpy(key + i, "\xF0\x9F\x98\x80\n\xED\xA0\x80", 8);
        program_path_start(&path, "value");
        program_path_member(&path, key, sizeof key);
        program_path_member(&path, key, i + 8);
        program_path_member(&path, key, i + 4);
        CU_ASSERT_FATAL(path.length < sizeof path.text && strlen(path.text) == path.length);
    }
    memset(key, 'r', sizeof key);
    key[999] = 0;
    program_path_start(&path, key);
    CU_ASSERT_TRUE(path.length < 100);
}

void program_path_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: path", NULL, NULL);
    CU_ADD_TEST(suite, test_steps);
    CU_ADD_TEST(suite, test_long_path);
    CU_ADD_TEST(suite, test_long_key);
}
