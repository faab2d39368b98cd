/*
 * test.h - CUnit suites that report in TAP.
 *
 *     static void adds(void) { CU_ASSERT_EQUAL(1 + 1, 2); }
 *
 *     int main(void)
 *     {
 *         static CU_TestInfo tests[] = {{"adds", adds}, CU_TEST_INFO_NULL};
 *         static CU_SuiteInfo suites[] = {{"sum", NULL, NULL, NULL, NULL, tests},
 *                                         CU_SUITE_INFO_NULL};
 *         return test_main(suites);
 *     }
 *
 * A program with a single suite says `return test_suite("sum", tests);`. One that has filled
 * CUnit's registry itself ends in `return test_run();` where it would call CU_basic_run_tests().
 */
#ifndef TEST_H
#define TEST_H

#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>

int test_main(CU_SuiteInfo suites[]);
int test_suite(const char *name, CU_TestInfo tests[]);
int test_run(void);

/* Marks the test that is running as skipped; it returns then. */
void test_skip(const char *reason);

/* Asserts that two texts are equal and shows both when they are not. */
#define TEST_TEXT(actual, expected) test_text((actual), (expected), __FILE__, __LINE__)
void test_text(const char *actual, const char *expected, const char *file, unsigned line);

/* Where the build tree and the source tree are (absolute); `./run` says so. */
const char *test_build_directory(void);
const char *test_source_directory(void);

/* A new, private, empty directory, which test_remove_directory removes with all that is in it. */
char *test_make_directory(void);
void test_remove_directory(char *path);

#endif
