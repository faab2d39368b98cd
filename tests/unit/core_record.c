/* Records: what stands in them, and that a run which is replayed or resumed is the run it was. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "tests/unit/recorded.h"
#include "tests/unit/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct recorded host;

static void begin(enum recorded_images images)
{
    CU_ASSERT_EQUAL_FATAL(recorded_begin(&host, images), PAWL_OK);
}

static void end(void)
{
    recorded_end(&host);
}

/* --- Runs ------------------------------------------------------------------------------------ */

static pawl_request *new_request(const char *script)
{
    pawl_request *request = NULL;
    CU_ASSERT_EQUAL_FATAL(recorded_request(&host, script, strlen(script), &request), PAWL_OK);
    return request;
}

/* Runs a request, frees it, and says how it came out. To be freed. */
static char *run(pawl_request *request)
{
    pawl_result *result = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_execute(host.registry, request, &result, NULL), PAWL_OK);
    char *summary = recorded_summary(result);
    pawl_result_free(result);
    pawl_request_free(request);
    CU_ASSERT_PTR_NOT_NULL_FATAL(summary);
    return summary;
}

static char *run_script(const char *script)
{
    return run(new_request(script));
}

static pawl_record *read_text(const char *text, size_t size)
{
    pawl_record *record = NULL;
    pawl_error *error = NULL;
    if (pawl_record_read(text, size, &record, &error) != PAWL_OK)
        fprintf(stderr, "# %s\n", pawl_error_message(error));
    pawl_error_free(error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record);
    return record;
}

static pawl_record *read_tape(void)
{
    return read_text(host.tape.text.data, host.tape.text.size);
}

static pawl_request *request_of(const pawl_record *record)
{
    pawl_request *request = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_record_request(record, 1, &request, NULL), PAWL_OK);
    return request;
}

static char *replay(const pawl_record *record)
{
    pawl_request *request = request_of(record);
    pawl_request_set_replay(request, record);
    return run(request);
}

/* How often host functions were called, together. */
static int made(void)
{
    int sum = 0;
    for (int i = 0; i < RECORDED_FUNCTIONS; i++)
        sum += atomic_load(&recorded_made[i]);
    return sum;
}

/* What the script was told since this was asked last. To be freed. */
static char *take_trace(void)
{
    char *trace = buffer_take(&recorded_trace);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    return trace;
}

/* Both ways to replay the tape come to the same as the recorded run, whose summary and trace are
 * given; nothing is called, judged, discovered or recorded. */
static void check_replays(const char *summary, const char *trace)
{
    size_t size = host.tape.text.size;
    pawl_record *record = read_tape();
    for (int own = 0; own < 2; own++) {
        recorded_forget();
        pawl_request *request = request_of(record);
        if (own == 1) { /* its functions are the real ones, and a recorder would take lines */
            pawl_request_free(request);
            CU_ASSERT_EQUAL_FATAL(pawl_record_request(record, 0, &request, NULL), PAWL_OK);
            CU_ASSERT_EQUAL_FATAL(recorded_add_functions(&host, request), PAWL_OK);
            CU_ASSERT_EQUAL_FATAL(recorded_set_tape(&host, request), PAWL_OK);
            pawl_request_set_cancel(request, NULL);
        }
        pawl_request_set_replay(request, record);
        char *again = run(request), *told = take_trace();
        TEST_TEXT(again, summary);
        if (trace != NULL)
            TEST_TEXT(told, trace);
        CU_ASSERT_EQUAL(made(), 0);
        CU_ASSERT_EQUAL(recorded_judged, 0);
        CU_ASSERT_EQUAL(recorded_discovered, 0);
        CU_ASSERT_EQUAL(host.tape.text.size, size);
        free(again);
        free(told);
    }
    pawl_record_free(record);
}

/* --- Text of the tape ------------------------------------------------------------------------ */

/* The tape without what differs from run to run. To be freed. */
static char *tape_text(void)
{
    struct buffer out BUFFER_CLEANUP = {0};
    static const char *const numbers[] = {"\"us\":", "\"clock\":"};
    for (const char *at = host.tape.text.data; *at != '\0';) {
        bool skipped = false;
        for (size_t i = 0; i < COUNT(numbers) && !skipped; i++) {
            size_t length = strlen(numbers[i]);
            if (strncmp(at, numbers[i], length) != 0)
                continue;
            buffer_append(&out, at, length);
            buffer_string(&out, "N");
            at += length + strspn(at + length, "0123456789");
            skipped = true;
        }
        if (!skipped)
            buffer_append(&out, at++, 1);
    }
    return buffer_take(&out);
}

/* Replaces the first `from` on the tape, which must be there. */
static void edit(const char *from, const char *to)
{
    struct buffer out BUFFER_CLEANUP = {0};
    const char *at = strstr(host.tape.text.data, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    buffer_append(&out, host.tape.text.data, (size_t)(at - host.tape.text.data));
    buffer_string(&out, to);
    buffer_string(&out, at + strlen(from));
    buffer_clear(&host.tape.text);
    buffer_append(&host.tape.text, out.data, out.size);
}

/* Cuts the last line off the tape. */
static void cut_line(void)
{
    struct buffer *text = &host.tape.text;
    text->size--;
    while (text->size > 0 && text->data[text->size - 1] != '\n')
        text->size--;
    text->data[text->size] = '\0';
}

static void replace_program(const char *from, const char *to)
{
    struct buffer was BUFFER_CLEANUP = {0}, is BUFFER_CLEANUP = {0};
    buffer_json_string(&was, from, strlen(from));
    buffer_json_string(&is, to, strlen(to));
    edit(was.data, is.data);
}

/* --- What stands in a record ----------------------------------------------------------------- */

static void has_the_lines_that_it_should(void)
{
    begin(IMAGES_NONE);
    free(run_script("lhello;k;dany;dnone;c0[ 1 ];n;c1[];n;c2[];n;c4[];n;n5;c0[1,2];n;c7[];n5;g1;n;"
                    "v{\"a\":\n1};"));
    char *text = tape_text();
    TEST_TEXT(
        text,
        "{\"format\":\"pawl-record/1\",\"version\":\"0.1.0\",\"note\":\"Everything that a program "
        "and its functions told each other stands here: keep it as secret as "
        "that.\",\"host\":{\"by\": \"a test\"},\"program\":\"lhello;k;dany;dnone;c0[ 1 "
        "];n;c1[];n;c2[];n;c4[];n;n5;c0[1,2];n;c7[];n5;g1;n;v{\\\"a\\\":\\n1};\","
        "\"language\":\"javascript\",\"level\":\"process\",\"provider\":\"script\","
        "\"budget\":{\"wall_clock\":0,\"max_calls\":0,\"max_bytes\":0,\"max_memory\":0},"
        "\"max_output\":0,\"policy\":{\"egress\":0,\"files\":0},\"discover\":true,\"namespaces\":[{"
        "\"name\":\"tools\",\"error_class\":\"ToolError\",\"member_property\":\"tool\","
        "\"functions\":["
        "{\"name\":\"echo\",\"signature\":\"echo(x?)\",\"concurrent\":true},"
        "{\"name\":\"fail\",\"concurrent\":true},{\"name\":\"denied\",\"concurrent\":true},"
        "{\"name\":\"broken\",\"concurrent\":true},{\"name\":\"constant\",\"concurrent\":true},"
        "{\"name\":\"slow\",\"concurrent\":true},{\"name\":\"later\",\"concurrent\":true},"
        "{\"name\":\"hold\",\"concurrent\":true},{\"name\":\"alone\",\"concurrent\":false}]}]}\n"
        "{\"log\":\"hello\"}\n"
        "{\"clock\":N}\n"
        "{\"discover\":\"any\",\"status\":0,\"answer\":[{\"name\": 1}]}\n"
        "{\"discover\":\"none\",\"status\":-8}\n"
        "{\"call\":1,\"function\":\"tools.echo\",\"arguments\":[ 1 ]}\n"
        "{\"settled\":1,\"status\":\"ok\",\"us\":N,\"value\":[ {\"x\":1}]}\n"
        "{\"call\":2,\"function\":\"tools.fail\",\"arguments\":[]}\n"
        "{\"settled\":2,\"status\":\"error\",\"us\":N,\"code\":\"tool_error\",\"message\":\"token="
        "[redacted] is wrong\"}\n"
        "{\"call\":3,\"function\":\"tools.denied\",\"arguments\":[]}\n"
        "{\"settled\":3,\"status\":\"denied\",\"us\":N,\"code\":\"stage_denied\",\"message\":"
        "\"tools.denied: denied by the stage 'gate': so it is\"}\n"
        "{\"call\":4,\"function\":\"tools.constant\",\"arguments\":[]}\n"
        "{\"settled\":4,\"status\":\"ok\",\"us\":N,\"value\":[1, 2]}\n"
        "{\"call\":5,\"function\":\"tools.echo\",\"arguments\":[1,2]}\n"
        "{\"settled\":5,\"status\":\"error\",\"us\":N,\"code\":\"bad_arguments\",\"message\":"
        "\"tools.echo: too many arguments (2): call it as echo(x?)\"}\n"
        "{\"call\":6,\"function\":\"tools.hold\",\"arguments\":[]}\n"
        "{\"timeout\":true}\n"
        "{\"settled\":6,\"status\":\"ok\",\"us\":N,\"value\":\"held\"}\n"
        "{\"end\":\"ok\",\"value\":{\"a\": 1}}\n");
    free(text);
    pawl_record *record = read_tape();
    TEST_TEXT(pawl_record_end(record), "ok");
    TEST_TEXT(pawl_record_host(record), "{\"by\": \"a test\"}");
    pawl_record_free(record);
    end();
}

static void ends_with_the_failure(void)
{
    begin(IMAGES_NONE);
    free(run_script("r3;fno;"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(host.tape.text.data, "{\"end\":\"runtime\",\"message\":\"no\"}\n"));
    const char *random = strstr(host.tape.text.data, "{\"random\":\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(random);
    CU_ASSERT_EQUAL(strcspn(random + 11, "\""), 4); /* base64 of three bytes */
    pawl_record *record = read_tape();
    TEST_TEXT(pawl_record_end(record), "runtime");
    pawl_record_free(record);
    end();
}

static void keeps_what_the_host_added_as_json(void)
{
    static const char *const values[] = {"\"a\\u0000b\"", "1", "null", "[ \"x\" ]"};
    for (size_t i = 0; i < COUNT(values); i++) {
        begin(IMAGES_NONE);
        pawl_request *request = new_request("v;");
        free(run(request));
        struct buffer with BUFFER_CLEANUP = {0};
        buffer_format(&with, "\"host\":%s,", values[i]);
        edit("\"host\":{\"by\": \"a test\"},", with.data);
        pawl_record *record = read_tape();
        TEST_TEXT(pawl_record_host(record), values[i]);
        pawl_record_free(record);
        end();
    }
    begin(IMAGES_NONE);
    pawl_request *request = new_request("v;");
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL(pawl_request_set_recorder(request, "{", NULL, NULL, &error), PAWL_E_ARGUMENT);
    TEST_TEXT(pawl_error_message(error), "what is added to the record is not JSON");
    pawl_error_free(error);
    pawl_request_free(request);
    end();
}

/* --- Replays --------------------------------------------------------------------------------- */

static void a_replay_is_the_run(void)
{
    static const char *const scripts[] = {
        "v;",
        "v{\"a\":[1,\"\\ud800\"]};",
        "fno;",
        "lone;k;ltwo;r8;r0;r64;dany;dnone;lthree;v1;",
        "c0[1];n;c1[];n;c2[];n;c3[];n;c4[];n;c0[1,2];n;c0[{\"x\":5}];n;v1;",
        "c0[\"\\ud800\\u0000\"];n;v1;",
        "c2[];n;fdenied it was;",
        "c3[];n;fbroken it was;",
        "c1[];n;ffailed it was;",
        "c7[1];c0[2];n;c7[3];n0;g2;n;n;n;n0;v1;", /* settles in another order */
        "c8[];c8[];c8[];n;n;n;v1;",
        "c0[1,2];c0[1];c0[3,4];n;n;n;v1;",
        "c5[];n;v1;", /* runs out of its own time */
        "c7[];n5;n1;g1;n;n3;v1;",
        "c0[1];p;c4[];p;v1;",
    };
    for (size_t i = 0; i < COUNT(scripts); i++) {
        begin(IMAGES_NONE);
        char *summary = run_script(scripts[i]), *trace = take_trace();
        check_replays(summary, trace);
        free(summary);
        free(trace);
        end();
    }
}

int main(void)
{
    static CU_TestInfo written[] = {
        {"has the lines that it should", has_the_lines_that_it_should},
        {"ends with the failure", ends_with_the_failure},
        {"keeps what the host added as JSON", keeps_what_the_host_added_as_json},
        CU_TEST_INFO_NULL,
    };
    static CU_TestInfo replays[] = {
        {"a replay is the run", a_replay_is_the_run},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {
        {"a record", NULL, NULL, NULL, NULL, written},
        {"replay", NULL, NULL, NULL, NULL, replays},
        CU_SUITE_INFO_NULL,
    };
    return test_main(suites);
}
