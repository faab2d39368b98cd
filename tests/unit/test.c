#include "tests/unit/test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/TestRun.h>

static unsigned count;
static char skipped[256];

void test_skip(const char *reason)
{
    snprintf(skipped, sizeof(skipped), "%s", reason);
}

static void on_start(const CU_pTest test, const CU_pSuite suite)
{
    (void)test;
    (void)suite;
    skipped[0] = '\0';
}

/* A line break inside a diagnostic would begin a line of TAP. */
static void print_comment(const char *text)
{
    fputs("# ", stdout);
    for (; *text != '\0'; text++)
        fputs(*text == '\n' ? "\n# " : (char[]){*text, '\0'}, stdout);
    putchar('\n');
}

static void on_complete(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failure)
{
    printf("%sok %u - %s: %s", failure == NULL ? "" : "not ", ++count, suite->pName, test->pName);
    if (skipped[0] != '\0')
        printf(" # SKIP %s", skipped);
    putchar('\n');
    for (CU_pFailureRecord f = failure; f != NULL && f->pTest == test; f = f->pNext) {
        char text[4096];
        snprintf(text, sizeof(text), "%s:%u: %s", f->strFileName, f->uiLineNumber, f->strCondition);
        print_comment(text);
    }
    fflush(stdout);
}

static void on_init_failure(const CU_pSuite suite)
{
    printf("not ok %u - %s: its set-up failed\n", ++count, suite->pName);
}

static void on_cleanup_failure(const CU_pSuite suite)
{
    printf("not ok %u - %s: its clean-up failed\n", ++count, suite->pName);
}

int test_run(void)
{
    CU_set_test_start_handler(on_start);
    CU_set_test_complete_handler(on_complete);
    CU_set_suite_init_failure_handler(on_init_failure);
    CU_set_suite_cleanup_failure_handler(on_cleanup_failure);
    CU_set_error_action(CUEA_IGNORE);
    if (CU_run_all_tests() != CUE_SUCCESS)
        print_comment(CU_get_error_msg());
    unsigned failed = CU_get_number_of_failure_records();
    unsigned assertions = CU_get_number_of_asserts();
    CU_cleanup_registry();
    printf("# %u assertions, %u failed\n1..%u\n", assertions, failed, count);
    return fflush(stdout) != 0 || failed != 0;
}

int test_main(CU_SuiteInfo suites[])
{
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        printf("Bail out! %s\n", CU_get_error_msg());
        return 1;
    }
    return test_run();
}

int test_suite(const char *name, CU_TestInfo tests[])
{
    CU_SuiteInfo suites[] = {{name, NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return test_main(suites);
}

void test_text(const char *actual, const char *expected, const char *file, unsigned line)
{
    static char message[4096];
    int equal = actual != NULL && strcmp(actual, expected) == 0;
    snprintf(message, sizeof(message), "is       %s\nexpected %s",
             actual != NULL ? actual : "(null)", expected);
    CU_assertImplementation(equal, line, message, file, "", CU_FALSE);
}

static const char *directory(const char *variable)
{
    const char *path = getenv(variable);
    if (path == NULL) {
        printf("Bail out! %s is not set: start the test as ./run TEST\n", variable);
        exit(1);
    }
    return path;
}

const char *test_build_directory(void)
{
    return directory("PAWL_BUILD_DIR");
}

const char *test_source_directory(void)
{
    return directory("PAWL_SOURCE_DIR");
}

char *test_make_directory(void)
{
    char *path = strdup("/tmp/pawl-test-XXXXXX");
    if (path == NULL || mkdtemp(path) == NULL) {
        perror("Bail out! /tmp/pawl-test-XXXXXX");
        exit(1);
    }
    return path;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

void test_remove_directory(char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(path);
}
