/* Runs are recorded, replayed and resumed, and their records read, while the n-th allocation fails:
 * nothing is lost, nothing is called twice, and what comes out is right or says that there was no
 * memory. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "tests/unit/oom.h"
#include "tests/unit/recorded.h"
#include "tests/unit/test.h"

#define SCRIPT "lhello;c0[1];n;c1[];n;c4[];n;c0[1,2];n;dany;k;r8;c6[\"a\"];n;c8[];n;v\"done\";"

/* Made in peace: what a run left that was suspended, and one that ended. */
static char *suspended, *ended;

/* NULL: it could not be made. */
static char *make_tape(int undecided, enum recorded_images images)
{
    struct recorded host;
    pawl_request *request = NULL;
    pawl_result *result = NULL;
    int status = recorded_begin(&host, images);
    atomic_store(&recorded_undecided, undecided);
    if (status == PAWL_OK)
        status = recorded_request(&host, SCRIPT, strlen(SCRIPT), &request);
    if (status == PAWL_OK)
        status = pawl_execute(host.registry, request, &result, NULL);
    char *text = status == PAWL_OK ? strdup(host.tape.text.data) : NULL;
    pawl_result_free(result);
    pawl_request_free(request);
    recorded_end(&host);
    return text;
}

/* Either there is a result, or it is said that there was no memory. */
static void check_status(int status, const pawl_error *error)
{
    CU_ASSERT_TRUE(oom_stop());
    CU_ASSERT_TRUE(status == PAWL_E_MEMORY || status == PAWL_E_SYSTEM || status == PAWL_E_RECORD);
    CU_ASSERT_PTR_NOT_NULL_FATAL(error);
    CU_ASSERT_TRUE(pawl_error_message(error)[0] != '\0');
}

static void check_kind(const pawl_result *result, const char *expected)
{
    const char *kind = pawl_result_ok(result) ? "ok" : pawl_result_kind(result);
    bool fits = strcmp(kind, expected) == 0;
    /* A call for which there was no memory fails, which the script does not mind. */
    if (oom_stop() && !fits)
        fits = strcmp(kind, "worker_exit") == 0 || strcmp(kind, "diverged") == 0 ||
               strcmp(kind, "ok") == 0;
    CU_ASSERT_TRUE(fits);
    if (!fits)
        TEST_TEXT(kind, expected);
}

static void read_a_record(void)
{
    pawl_record *record = NULL;
    pawl_request *request = NULL;
    pawl_error *error = NULL;
    int status = pawl_record_read(suspended, strlen(suspended), &record, &error);
    if (status == PAWL_OK)
        status = pawl_record_request(record, 1, &request, &error);
    if (status == PAWL_OK)
        status = pawl_request_set_resume(request, record, &error);
    if (status == PAWL_OK) {
        TEST_TEXT(pawl_record_end(record), "suspended");
        TEST_TEXT(pawl_record_host(record), "{\"by\": \"a test\"}");
    } else {
        check_status(status, error);
    }
    pawl_error_free(error);
    pawl_request_free(request);
    pawl_record_free(record);
}

/* Runs a request on a host, if that could be made, and frees both. */
static void finish(struct recorded *host, int status, pawl_request *request, const char *expected)
{
    pawl_result *result = NULL;
    if (status == PAWL_OK)
        status = pawl_execute(host->registry, request, &result, &host->error);
    if (status == PAWL_OK)
        check_kind(result, expected);
    else
        check_status(status, host->error);
    pawl_result_free(result);
    pawl_request_free(request);
}

static void record_a_run(void)
{
    struct recorded host;
    pawl_request *request = NULL;
    int status = recorded_begin(&host, IMAGES_USED);
    atomic_store(&recorded_undecided, 'a');
    if (status == PAWL_OK)
        status = recorded_request(&host, SCRIPT, strlen(SCRIPT), &request);
    finish(&host, status, request, "suspended");
    recorded_end(&host);
}

/* Replays or resumes what was recorded. */
static void go_by(const char *text, enum recorded_images images, bool resumes)
{
    struct recorded host;
    pawl_request *request = NULL;
    pawl_record *record = NULL;
    int status = recorded_begin(&host, images);
    if (status == PAWL_OK)
        status = pawl_record_read(text, strlen(text), &record, &host.error);
    if (status == PAWL_OK)
        status = pawl_record_request(record, 0, &request, &host.error);
    if (status == PAWL_OK)
        status = recorded_add_functions(&host, request);
    if (status == PAWL_OK)
        status = recorded_set_tape(&host, request);
    if (status == PAWL_OK && resumes)
        status = pawl_request_set_resume(request, record, &host.error);
    else if (status == PAWL_OK)
        pawl_request_set_replay(request, record);
    finish(&host, status, request, "ok");
    CU_ASSERT_EQUAL(recorded_made[ECHO], 0);
    CU_ASSERT_TRUE(recorded_made[LATER] <= resumes);
    CU_ASSERT_TRUE(recorded_made[ALONE] <= resumes);
    pawl_record_free(record);
    recorded_end(&host);
}

static void replay_a_run(void)
{
    go_by(ended, IMAGES_NONE, false);
}

static void resume_by_replay(void)
{
    go_by(suspended, IMAGES_NONE, true);
}

static void resume_from_image(void)
{
    go_by(suspended, IMAGES_USED, true);
}

static void resume_without_the_image(void)
{
    go_by(suspended, IMAGES_REFUSED, true);
}

static void test_read(void)
{
    oom_each(read_a_record);
}

static void test_record(void)
{
    oom_each(record_a_run);
}

static void test_replay(void)
{
    oom_each(replay_a_run);
}

static void test_resume_by_replay(void)
{
    oom_each(resume_by_replay);
}

static void test_resume_from_image(void)
{
    oom_each(resume_from_image);
}

static void test_resume_without_the_image(void)
{
    oom_each(resume_without_the_image);
}

static int begin(void)
{
    suspended = make_tape('a', IMAGES_USED);
    ended = make_tape(0, IMAGES_NONE);
    return suspended == NULL || ended == NULL;
}

static int end(void)
{
    free(suspended);
    free(ended);
    return 0;
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"reading a record", test_read},
        {"a run that is recorded and suspended", test_record},
        {"a replay", test_replay},
        {"a run that is resumed by a replay", test_resume_by_replay},
        {"a run that is resumed from an image", test_resume_from_image},
        {"a run whose image is refused", test_resume_without_the_image},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {
        {"records without memory", begin, end, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return test_main(suites);
}
