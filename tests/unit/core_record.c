/* Records: what stands in them, and that a run which is replayed or resumed is the run it was. */
#include <inttypes.h>
#include <poll.h>
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

static unsigned count_lines(const char *text, const char *with)
{
    unsigned count = 0;
    for (const char *at = text; at != NULL && (at = strstr(at, with)) != NULL; at++)
        count++;
    return count;
}

static bool begins_with(const char *text, const char *with)
{
    bool begins = strncmp(text, with, strlen(with)) == 0;
    if (!begins)
        TEST_TEXT(text, with);
    return begins;
}

/* What the record says from the nth line from its end on. */
static const char *last_lines(const char *text, int count)
{
    const char *at = text + strlen(text);
    for (; count > 0 && at > text; count--)
        for (at--; at > text && at[-1] != '\n';)
            at--;
    return at;
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
        "{\"settled\":1,\"status\":\"ok\",\"us\":N,\"bytes\":10,\"value\":[ {\"x\":1}]}\n"
        "{\"call\":2,\"function\":\"tools.fail\",\"arguments\":[]}\n"
        "{\"settled\":2,\"status\":\"error\",\"us\":N,\"code\":\"tool_error\",\"message\":\"token="
        "[redacted] is wrong\"}\n"
        "{\"call\":3,\"function\":\"tools.denied\",\"arguments\":[]}\n"
        "{\"settled\":3,\"status\":\"denied\",\"us\":N,\"code\":\"stage_denied\",\"message\":"
        "\"tools.denied: denied by the stage 'gate': so it is\"}\n"
        "{\"call\":4,\"function\":\"tools.constant\",\"arguments\":[]}\n"
        "{\"settled\":4,\"status\":\"ok\",\"us\":N,\"bytes\":6,\"value\":[1, 2]}\n"
        "{\"call\":5,\"function\":\"tools.echo\",\"arguments\":[1,2]}\n"
        "{\"settled\":5,\"status\":\"error\",\"us\":N,\"code\":\"bad_arguments\",\"message\":"
        "\"tools.echo: too many arguments (2): call it as echo(x?)\"}\n"
        "{\"call\":6,\"function\":\"tools.hold\",\"arguments\":[]}\n"
        "{\"timeout\":true}\n"
        "{\"settled\":6,\"status\":\"ok\",\"us\":N,\"bytes\":6,\"value\":\"held\"}\n"
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

/* Texts that JSON, C or UTF-8 could lose something of. */
static void every_byte_survives(void)
{
    static const char script[] =
        "l\xff\xfe\xc0\x80;l\xed\xa0\x80\xed\xb2\x80;l\xed\xb2\x80"
        "\0nul\0;l\xf4\x90\x80\x80\xf0\x9f\x98\x80\xf0\x9f;l\\u0000\"\r\t\x7f"
        "\xe2\x80\xa8;\xef\xbb\xbf";
    begin(IMAGES_NONE);
    pawl_request *request = NULL;
    CU_ASSERT_EQUAL_FATAL(recorded_request(&host, script, sizeof(script) - 1, &request), PAWL_OK);
    char *summary = run(request);
    CU_ASSERT_PTR_NULL(strchr(host.tape.text.data, '\xff'));
    pawl_record *record = read_tape();
    size_t size;
    const char *program = pawl_record_program(record, &size);
    CU_ASSERT_EQUAL(size, sizeof(script) - 1);
    CU_ASSERT_EQUAL(memcmp(program, script, size), 0);
    pawl_record_free(record);
    check_replays(summary, "");
    free(summary);
    end();
}

static void nest(struct buffer *out, const char *before, int depth, const char *after)
{
    buffer_string(out, before);
    for (int i = 0; i < depth; i++)
        buffer_string(out, "[");
    for (int i = 0; i < depth; i++)
        buffer_string(out, "]");
    buffer_string(out, after);
}

/* What may be said at all can be read again. */
static void deep_values_survive(void)
{
    enum { DEPTH = 10000 };
    for (int more = 0; more < 2; more++) {
        struct buffer script BUFFER_CLEANUP = {0}, json BUFFER_CLEANUP = {0};
        begin(IMAGES_NONE);
        nest(&script, "c1", DEPTH, ";n;");
        nest(&script, "v", DEPTH + more, ";");
        char *summary = run_script(script.data);
        CU_ASSERT(begins_with(summary, more ? "protocol" : "ok"));
        check_replays(summary, NULL);
        free(summary);
        end();

        begin(IMAGES_NONE);
        pawl_request *request = new_request("v;");
        nest(&json, "", DEPTH + more, "");
        CU_ASSERT_EQUAL(pawl_request_set_recorder(request, json.data, NULL, NULL, NULL),
                        more ? PAWL_E_ARGUMENT : PAWL_OK);
        pawl_request_free(request);
        end();
    }
}

/* What a program did not take came out nevertheless. */
static void calls_not_taken_are_recorded(void)
{
    begin(IMAGES_NONE);
    char *summary = run_script("c4[];c0[1,2];v1;"), *text = tape_text();
    TEST_TEXT(last_lines(text, 3),
              "{\"settled\":1,\"status\":\"ok\",\"us\":N,\"late\":true,\"bytes\":6,\"value\":[1, "
              "2]}\n{\"settled\":2,\"status\":\"error\",\"us\":N,\"late\":true,\"code\":"
              "\"bad_arguments\",\"message\":\"tools.echo: too many arguments (2): call it as "
              "echo(x?)\"}\n{\"end\":\"ok\",\"value\":1}\n");
    check_replays(summary, NULL);
    free(summary);
    free(text);
    end();

    static const char *const scripts[] = {"c0[1];c0[2];c4[];v1;", "c8[];c8[];c8[];v1;",
                                          "c0[1];c1[];n;fno;",    "c0[1];",
                                          "c5[];c8[];v1;",        "c9[];v1;"};
    for (size_t i = 0; i < COUNT(scripts); i++) {
        begin(IMAGES_NONE);
        summary = run_script(scripts[i]);
        check_replays(summary, NULL);
        free(summary);
        end();
    }
}

/* A vendor's engine may write its JSON on many lines. */
static void white_space_around_arguments_is_no_difference(void)
{
    begin(IMAGES_NONE);
    char *summary = run_script("c0\t[\n1\r\n] \n;n;v1;"), *trace = take_trace();
    CU_ASSERT_PTR_NOT_NULL(strstr(host.tape.text.data, "\"arguments\":\t[ 1  ]  }\n"));
    check_replays(summary, trace);
    free(summary);
    free(trace);
    end();
}

/* What was polled for where it was recorded, and is waited for where it is replayed. */
static void a_time_out_is_none_for_one_that_waits(void)
{
    begin(IMAGES_NONE);
    static const char script[] = "c7[];n0;n0;g1;n;v1;";
    char *summary = run_script(script);
    replace_program(script, "c7[];n;v1;");
    check_replays(summary, NULL);
    free(summary);
    end();
}

/* More calls than may be in flight: which of them were refused is for the record to say. */
static void refused_calls_are_refused_again(void)
{
    enum { MANY = 5000 };
    struct buffer script BUFFER_CLEANUP = {0};
    begin(IMAGES_NONE);
    buffer_string(&script, "c7[];");
    for (int i = 1; i < MANY; i++)
        buffer_string(&script, "c8[];");
    for (int i = 0; i < MANY; i++)
        buffer_string(&script, i == MANY - 4096 ? "g1;n;" : "n;");
    buffer_string(&script, "v1;");
    char *summary = run_script(script.data), *trace = take_trace();
    CU_ASSERT_PTR_NOT_NULL(strstr(trace, "too many calls are in flight"));
    check_replays(summary, trace);
    free(summary);
    free(trace);
    end();
}

/* Constants settle at once, so that any number of them can be begun. */
static void constants_are_not_refused(void)
{
    enum { MANY = 5000 };
    struct buffer script BUFFER_CLEANUP = {0};
    begin(IMAGES_NONE);
    for (int i = 0; i < MANY; i++)
        buffer_string(&script, "c4[];");
    for (int i = 0; i < MANY; i++)
        buffer_string(&script, "n;");
    buffer_string(&script, "v1;");
    char *summary = run_script(script.data), *trace = take_trace();
    CU_ASSERT_PTR_NULL(strstr(trace, "too many calls are in flight"));
    check_replays(summary, trace);
    free(summary);
    free(trace);
    end();
}

/* --- How the host ended a run ---------------------------------------------------------------- */

static void ends_of_the_host_are_replayed(void)
{
    static const struct {
        const char *script, *kind;
        struct pawl_budget budget;
        uint64_t output;
    } runs[] = {
        {"c0[1];n;c0[2];n;v1;", "budget_calls", {.max_calls = 1}, 0},
        {"c0[1];n;c0[2];n;v1;", "budget_bytes", {.max_bytes = 15}, 0},
        {"c0[1];c0[2];c8[];n;n;n;v1;", "budget_bytes", {.max_bytes = 15}, 0},
        {"n100000;v1;", "deadline", {.wall_clock = 30}, 0},
        {"k;n100000;k;v1;", "deadline", {.wall_clock = 30}, 0},
        {"c0[1];n;n100000;c0[2];v1;", "deadline", {.wall_clock = 30}, 0},
        {"c0[1];n;x;n;v1;", "abort", {.max_calls = 0}, 0},
        {"c0[1];n;x;k;v1;", "abort", {.max_calls = 0}, 0},
        {"c0[1];n;x;c0[2];n;v1;", "abort", {.max_calls = 0}, 0},
        {"c0[1];n;x;v1;", "abort", {.max_calls = 0}, 0},
        {"lhello;lhello;lhello;lhello;v1;", "output_limit", {.max_calls = 0}, 20},
        {"lhello;c0[1];n;v\"long enough\";", "output_limit", {.max_calls = 0}, 20},
        {"lhello;flong enough;", "output_limit", {.max_calls = 0}, 20},
    };
    for (size_t i = 0; i < COUNT(runs); i++) {
        begin(IMAGES_NONE);
        struct pawl_budget budget = runs[i].budget;
        budget.header = (struct pawl_header)PAWL_HEADER(BUDGET, budget);
        pawl_request *request = new_request(runs[i].script);
        pawl_request_add_budget(request, &budget);
        if (runs[i].output != 0)
            pawl_request_set_output_limit(request, runs[i].output);
        char *summary = run(request);
        pawl_record *record = read_tape();
        TEST_TEXT(pawl_record_end(record), runs[i].kind);
        CU_ASSERT(begins_with(summary, runs[i].kind));
        check_replays(summary, NULL);
        pawl_record_free(record);
        free(summary);
        end();
    }
}

/* --- Divergence ------------------------------------------------------------------------------ */

static void check_diverged(const char *expected)
{
    struct buffer want BUFFER_CLEANUP = {0};
    recorded_forget();
    pawl_record *record = read_tape();
    char *summary = replay(record);
    summary[strcspn(summary, "\n")] = '\0';
    buffer_string(&want, "diverged 0:0 ");
    buffer_json_string(&want, expected, strlen(expected));
    TEST_TEXT(summary, want.data);
    CU_ASSERT_EQUAL(made(), 0);
    CU_ASSERT_EQUAL(recorded_judged, 0);
    pawl_record_free(record);
    free(summary);
}

static void names_where_a_run_differs(void)
{
    static const struct {
        const char *recorded, *replayed, *message;
    } runs[] = {
        {"c0[1];n;v1;", "c1[1];n;v1;",
         "at call 1: it calls tools.fail([1]), where the recorded one calls tools.echo([1])"},
        {"c0[1];n;v1;", "c0[2];n;v1;",
         "at call 1: it calls tools.echo([2]), where the recorded one calls tools.echo([1])"},
        {"c0[1];n;c0[3];n;v1;", "c0[1];n;c0[3 ];n;v1;",
         "at call 2: it calls tools.echo([3 ]), where the recorded one calls tools.echo([3])"},
        {"c0[1];n;v1;", "c0[1];n;c0[2];n;v1;",
         "after call 1: it calls tools.echo([2]), where the recorded one ends"},
        {"c0[1];n;v1;", "v1;", "at call 1: it ends, where the recorded one calls tools.echo([1])"},
        {"c0[1];n;k;c0[2];n;v1;", "c0[1];n;fno;",
         "at call 2: it ends, where the recorded one calls tools.echo([2])"},
        {"c0[1];n;v1;", "k;v1;",
         "at call 1: it reads the clock, where the recorded one calls tools.echo([1])"},
        {"c0[1];n;v1;", "c0[1];k;v1;",
         "after call 1: it reads the clock, where the recorded one waits for a call"},
        {"c7[1];n1;g1;n;v1;", "c7[1];k;v1;",
         "after call 1: it reads the clock, where the recorded one waits for a while"},
        {"k;v1;", "c0[1];n;v1;",
         "before the first call: it calls tools.echo([1]), where the recorded one reads the clock"},
        {"r8;v1;", "r4;v1;",
         "before the first call: it takes another number of random bytes, where the recorded one "
         "takes random bytes"},
        {"dany;v1;", "dother;v1;",
         "before the first call: it discovers other functions, where the recorded one discovers "
         "functions"},
        {"dany;v1;", "r1;v1;",
         "before the first call: it takes random bytes, where the recorded one discovers "
         "functions"},
        {"r1;v1;", "dany;v1;",
         "before the first call: it discovers functions, where the recorded one takes random "
         "bytes"},
        {"v1;", "k;k;k;v1;",
         "before the first call: it reads the clock, where the recorded one ends"},
        {"c0[1];v1;", "c0[1];n;v1;",
         "after call 1: it waits for a call, where the recorded one ends"},
    };
    for (size_t i = 0; i < COUNT(runs); i++) {
        struct buffer message BUFFER_CLEANUP = {0};
        begin(IMAGES_NONE);
        free(run_script(runs[i].recorded));
        replace_program(runs[i].recorded, runs[i].replayed);
        buffer_format(&message, "the run differs from its record %s", runs[i].message);
        check_diverged(message.data);
        end();
    }
}

/* What is no doing of the program is said as it is. */
static void an_engine_that_dies_is_no_difference(void)
{
    begin(IMAGES_NONE);
    free(run_script("c0[1];n;v1;"));
    replace_program("c0[1];n;v1;", "edead;");
    pawl_record *record = read_tape();
    char *summary = replay(record);
    TEST_TEXT(summary, "worker_exit 1:2 \"dead\"\n\"calls\":0,\"bytes\":0");
    pawl_record_free(record);
    free(summary);
    end();
}

static void waits_for_another_call(void)
{
    begin(IMAGES_NONE);
    free(run_script("c0[1];n;v1;"));
    edit("{\"settled\":1,", "{\"settled\":2,");
    check_diverged("the run differs from its record after call 1: it waits for calls of which none "
                   "is that one, where the recorded one waits for a call");
    end();
}

static void a_record_that_was_cut_off(void)
{
    begin(IMAGES_NONE);
    free(run_script("c0[1];n;c0[2];n;v1;"));
    cut_line();
    pawl_record *record = read_tape();
    CU_ASSERT_PTR_NULL(pawl_record_end(record));
    char *summary = replay(record);
    CU_ASSERT_EQUAL(strncmp(summary, "ok 1", 4), 0); /* it has been told everything */
    pawl_record_free(record);
    free(summary);
    cut_line();
    check_diverged("the run differs from its record after call 2: it waits for a call, where the "
                   "recorded one was cut off");
    cut_line();
    check_diverged("the run differs from its record after call 1: it calls tools.echo([2]), where "
                   "the recorded one was cut off");
    host.tape.text.data[--host.tape.text.size] = '\0'; /* half a line is none */
    check_diverged("the run differs from its record after call 1: it waits for a call, where the "
                   "recorded one was cut off");
    end();
}

/* Long arguments are cut, not in the middle of a character. */
static void shows_the_beginning_of_long_arguments(void)
{
    struct buffer script BUFFER_CLEANUP = {0}, message BUFFER_CLEANUP = {0};
    begin(IMAGES_NONE);
    buffer_string(&script, "c0[\"");
    for (int i = 0; i < 150; i++)
        buffer_string(&script, "\u00e9");
    buffer_string(&script, "\"];n;v1;");
    free(run_script(script.data));
    replace_program(script.data, "k;v1;");
    buffer_string(&message, "the run differs from its record at call 1: it reads the clock, where "
                            "the recorded one calls tools.echo([\"");
    for (int i = 0; i < 99; i++)
        buffer_string(&message, "\u00e9");
    buffer_string(&message, ")");
    check_diverged(message.data);
    end();
}

/* --- Suspending ------------------------------------------------------------------------------ */

/* A request that goes on with what is on the tape. */
static pawl_request *resume_request(const pawl_record *record, int *status)
{
    pawl_request *request = NULL;
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_record_request(record, 0, &request, NULL), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(recorded_add_functions(&host, request), PAWL_OK);
    CU_ASSERT_EQUAL_FATAL(recorded_set_tape(&host, request), PAWL_OK);
    int got = pawl_request_set_resume(request, record, &error);
    if (status != NULL)
        *status = got;
    else if (got != PAWL_OK)
        TEST_TEXT(pawl_error_message(error), "");
    pawl_error_free(error);
    return request;
}

static char *resume(void)
{
    pawl_record *record = read_tape();
    char *summary = run(resume_request(record, NULL));
    pawl_record_free(record);
    return summary;
}

static const char put_off[] = "suspended 0:0 \"tools.later: put off by the stage 'gate': so it "
                              "is\"";

static void a_pending_call_suspends(void)
{
    for (enum recorded_images images = IMAGES_NONE; images <= IMAGES_HUGE; images++) {
        begin(images);
        atomic_store(&recorded_undecided, 'a');
        char *summary = run_script("lbefore;c0[1];n;k;c6[\"a\"];c8[];r4;n;n;lafter;v\"done\";");
        CU_ASSERT(begins_with(summary, put_off));
        CU_ASSERT_PTR_NOT_NULL(strstr(summary, "\nlog \"before\""));
        CU_ASSERT_PTR_NOT_NULL(strstr(summary, "\ntools.later 2 0 bytes"));
        CU_ASSERT_EQUAL(recorded_made[ECHO], 1);
        CU_ASSERT_EQUAL(recorded_made[LATER], 0);
        CU_ASSERT_EQUAL(recorded_made[ALONE], 0);
        char *trace = take_trace();
        char *text = tape_text();
        bool has_image = images == IMAGES_USED || images == IMAGES_REFUSED;
        TEST_TEXT(last_lines(text, 1),
                  has_image ? "{\"end\":\"suspended\",\"message\":\"tools.later: put off by the "
                              "stage 'gate': so it is\",\"image\":\"YXQgMzQ=\"}\n"
                            : "{\"end\":\"suspended\",\"message\":\"tools.later: put off by the "
                              "stage 'gate': so it is\"}\n");
        free(text);
        /* It can be replayed as it is. */
        pawl_record *record = read_tape();
        recorded_forget();
        char *again = replay(record);
        CU_ASSERT(begins_with(again, put_off));
        CU_ASSERT_EQUAL(made(), 0);
        pawl_record_free(record);
        free(again);
        free(summary);

        atomic_store(&recorded_undecided, 0);
        recorded_forget();
        summary = resume();
        CU_ASSERT(begins_with(summary, "ok 1 \"\\\"done\\\"\"\nlog \"before\"\nlog \"after\"\n"));
        CU_ASSERT_EQUAL(recorded_made[ECHO], 0);
        CU_ASSERT_EQUAL(recorded_made[LATER], 1);
        CU_ASSERT_EQUAL(recorded_made[ALONE], 1);
        char *told = take_trace();
        if (images == IMAGES_USED)
            CU_ASSERT(begins_with(told, "image: at 34, last 3, in flight 2\nnext: 2 0 - 1\n"));
        text = tape_text();
        TEST_TEXT(last_lines(text, 5), "{\"resumed\":true}\n{\"settled\":2,\"status\":\"ok\","
                                       "\"us\":N,\"bytes\":1,\"value\":1}\n"
                                       "{\"settled\":3,\"status\":\"ok\",\"us\":N,\"bytes\":1,"
                                       "\"value\":1}\n{\"log\":\"after\"}\n"
                                       "{\"end\":\"ok\",\"value\":\"done\"}\n");
        free(text);
        check_replays(summary, NULL);
        free(summary);
        free(told);
        free(trace);
        end();
    }
}

static void without_a_recorder_it_is_denied(void)
{
    begin(IMAGES_USED);
    atomic_store(&recorded_undecided, 'a');
    pawl_request *request = new_request("c6[\"a\"];n;fdenied;");
    CU_ASSERT_EQUAL(pawl_request_set_recorder(request, NULL, NULL, NULL, NULL), PAWL_OK);
    char *summary = run(request);
    CU_ASSERT(begins_with(summary, "stage_denied 1:2 \"denied\""));
    CU_ASSERT_EQUAL(host.tape.text.size, 0);
    free(summary);
    end();
}

/* What ran is waited for, and comes out as it would have. What had not begun is made only later. */
static void what_runs_is_waited_for(void)
{
    static const char *const scripts[] = {
        "c7[];c6[\"a\"];c8[];c4[];g1;n;n;n;n;v1;", /* sleeps in next */
        "c7[];c6[\"a\"];c8[];c4[];g1;p;p;p;p;v1;", /* polls */
        "c6[\"a\"];c7[];c8[];c4[];n5;g1;n;n;n;n;v1;",
        "c5[];c6[\"a\"];c8[];c4[];n;n;n;n;v1;", /* one whose own time runs out meanwhile */
        "c5[];c6[\"a\"];c8[];c4[];p;p;p;p;v1;",
    };
    for (size_t i = 0; i < 2 * COUNT(scripts); i++) {
        begin(i % 2 == 0 ? IMAGES_NONE : IMAGES_USED);
        atomic_store(&recorded_undecided, 'a');
        char *summary = run_script(scripts[i / 2]);
        CU_ASSERT(begins_with(summary, put_off));
        CU_ASSERT_EQUAL(recorded_made[LATER], 0);
        CU_ASSERT_EQUAL(recorded_made[ALONE], 0);
        atomic_store(&recorded_undecided, 0);
        free(summary);
        summary = resume();
        CU_ASSERT(begins_with(summary, "ok 1 \"1\""));
        CU_ASSERT_EQUAL(recorded_made[HOLD], strncmp(scripts[i / 2], "c5", 2) != 0);
        CU_ASSERT(recorded_made[SLOW] <= 1); /* its time may be over before it has a thread */
        CU_ASSERT_EQUAL(recorded_made[LATER], 1);
        CU_ASSERT_EQUAL(recorded_made[ALONE], 1);
        check_replays(summary, NULL);
        free(summary);
        end();
    }
}

/* A function's answer is not told twice to one that polls, nor a time-out that nobody asked for. */
static void a_poll_is_not_woken_for_nothing(void)
{
    begin(IMAGES_NONE);
    atomic_store(&recorded_undecided, 'a');
    char *summary = run_script("c7[];c6[\"a\"];n50;g1;p;p;v1;");
    char *trace = take_trace();
    CU_ASSERT(begins_with(summary, put_off));
    TEST_TEXT(trace, "call: 0 1\ncall: 0 2\nnext: -7\nnext: 1 0 - \"held\"\nnext: -6\n");
    free(trace);
    free(summary);
    end();
}

static void it_can_be_put_off_again(void)
{
    for (enum recorded_images images = IMAGES_NONE; images <= IMAGES_HUGE; images++) {
        begin(images);
        atomic_store(&recorded_undecided, 'a');
        free(run_script("c0[1];c6[\"a\"];n;n;c6[\"b\"];n;c8[];n;v1;"));
        for (int i = 0; i < 2; i++) { /* nothing was decided meanwhile */
            char *summary = resume();
            CU_ASSERT(begins_with(summary, put_off));
            free(summary);
            CU_ASSERT_PTR_NOT_NULL(
                strstr(last_lines(host.tape.text.data, 2), "{\"resumed\":true}\n{\"end\":"));
        }
        atomic_store(&recorded_undecided, 'b'); /* another is put off */
        char *summary = resume();
        CU_ASSERT(begins_with(summary, put_off));
        CU_ASSERT_EQUAL(recorded_made[LATER], 1);
        free(summary);
        atomic_store(&recorded_undecided, 0);
        summary = resume();
        CU_ASSERT(begins_with(summary, "ok 1 \"1\""));
        CU_ASSERT_EQUAL(recorded_made[ECHO], 1);
        CU_ASSERT_EQUAL(recorded_made[LATER], 2);
        CU_ASSERT_EQUAL(recorded_made[ALONE], 1);
        check_replays(summary, NULL);
        free(summary);
        end();
    }
}

/* Nothing new happened: the record can be resumed as before. */
static void what_never_got_going_changes_nothing(void)
{
    for (enum recorded_images images = IMAGES_NONE; images <= IMAGES_REFUSED; images++) {
        begin(images);
        atomic_store(&recorded_undecided, 'a');
        free(run_script("c0[1];c6[\"a\"];n;n;v1;"));
        size_t size = host.tape.text.size;
        recorded_forget();

        pawl_record *record = read_tape();
        pawl_request *request = resume_request(record, NULL);
        pawl_cancel *cancel = NULL;
        CU_ASSERT_EQUAL_FATAL(pawl_cancel_new(&cancel, NULL), PAWL_OK);
        pawl_cancel_now(cancel);
        pawl_request_set_cancel(request, cancel);
        char *summary = run(request);
        CU_ASSERT(begins_with(summary, "abort"));
        CU_ASSERT_EQUAL(host.tape.text.size, size);
        CU_ASSERT_EQUAL(made(), 0);
        free(summary);
        pawl_cancel_free(cancel);
        pawl_record_free(record);

        if (images != IMAGES_USED) { /* it is not what it was */
            edit("\"arguments\":[1]", "\"arguments\":[2]");
            summary = resume();
            CU_ASSERT(begins_with(summary,
                                  "diverged 0:0 \"the run differs from its record at call 1: it "
                                  "calls tools.echo([1]), where the recorded one calls "
                                  "tools.echo([2])\""));
            CU_ASSERT_EQUAL(host.tape.text.size, size);
            CU_ASSERT_EQUAL(made(), 0);
            free(summary);
            edit("\"arguments\":[2]", "\"arguments\":[1]");
        }
        atomic_store(&recorded_undecided, 0);
        summary = resume();
        CU_ASSERT(begins_with(summary, "ok 1 \"1\""));
        free(summary);
        end();
    }
}

/* A run that ends, where the recorded one waited, is another. */
static void a_resumed_run_must_come_to_the_same_place(void)
{
    static const char *const scripts[] = {"c0[1];c6[\"a\"];n;v1;", "c0[1];c6[\"a\"];n;k;v1;",
                                          "c0[1];c6[\"a\"];n;c0[2];n;v1;"};
    static const char *const does[] = {"ends", "reads the clock", "calls tools.echo([2])"};
    for (size_t i = 0; i < COUNT(scripts); i++) {
        struct buffer want BUFFER_CLEANUP = {0};
        begin(IMAGES_NONE);
        atomic_store(&recorded_undecided, 'a');
        static const char script[] = "c0[1];c6[\"a\"];n;n;v1;";
        free(run_script(script));
        replace_program(script, scripts[i]);
        size_t size = host.tape.text.size;
        recorded_forget();
        char *summary = resume();
        buffer_format(&want,
                      "diverged 0:0 \"the run differs from its record after call 2: it %s, where "
                      "the recorded one was suspended\"",
                      does[i]);
        CU_ASSERT(begins_with(summary, want.data));
        CU_ASSERT_EQUAL(host.tape.text.size, size);
        CU_ASSERT_EQUAL(made(), 0);
        free(summary);
        end();
    }
}

/* A record whose calls do not fit together is none for an image; a replay says what is wrong. */
static void an_image_needs_a_record_that_fits(void)
{
    begin(IMAGES_USED);
    atomic_store(&recorded_undecided, 'a');
    free(run_script("c0[1];c6[\"a\"];n;n;v1;"));
    edit("{\"settled\":1,", "{\"settled\":3,");
    char *summary = resume();
    CU_ASSERT(begins_with(summary, "diverged"));
    free(summary);
    edit("{\"settled\":3,", "{\"settled\":1,");
    edit("\"function\":\"tools.echo\"", "\"function\":\"tools.none\"");
    summary = resume();
    CU_ASSERT(begins_with(summary, "diverged"));
    free(summary);
    end();
}

/* A deadline while it waits for what runs: it was not suspended, and cannot be resumed. */
static void a_deadline_may_come_first(void)
{
    begin(IMAGES_NONE);
    atomic_store(&recorded_undecided, 'a');
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = 50;
    pawl_request *request = new_request("c7[];c6[\"a\"];n;n;v1;");
    pawl_request_add_budget(request, &budget);
    char *summary = run(request);
    recorded_go(1);
    CU_ASSERT(begins_with(summary, "deadline"));
    pawl_record *record = read_tape();
    TEST_TEXT(pawl_record_end(record), "deadline");
    pawl_record_free(record);
    free(summary);
    end();
}

/* Some are put off together: each is made once, later. */
static void many_can_be_put_off(void)
{
    begin(IMAGES_USED);
    atomic_store(&recorded_undecided, 'a');
    char *summary = run_script("c6[\"a\"];c0[1];c6[\"a\"];c6[\"b\"];c7[];c6[\"a\"];g1;n;n;n;n;n;n;"
                               "v1;");
    CU_ASSERT(begins_with(summary, put_off));
    CU_ASSERT(count_lines(summary, "\ntools.later 2 0 bytes") >= 1);
    free(summary);
    atomic_store(&recorded_undecided, 0);
    summary = resume();
    CU_ASSERT(begins_with(summary, "ok 1 \"1\""));
    CU_ASSERT_EQUAL(recorded_made[LATER], 4);
    CU_ASSERT_EQUAL(recorded_made[ECHO], 1);
    CU_ASSERT_EQUAL(recorded_made[HOLD], 1);
    check_replays(summary, NULL);
    free(summary);
    end();
}

/* Its answer is known, but not whether it may be given. */
static void a_constant_can_be_put_off(void)
{
    static const char *const scripts[] = {"c4[\"a\"];n;v1;", "c4[\"a\"];p;v1;",
                                          "c4[\"a\"];c4[];n;n;v1;", "c7[];c4[\"a\"];g1;p;p;v1;",
                                          "c4[];c4[\"a\"];c0[1];p;p;p;v1;"};
    for (size_t i = 0; i < COUNT(scripts); i++) {
        begin(i % 2 == 0 ? IMAGES_USED : IMAGES_NONE);
        atomic_store(&recorded_undecided, 'a');
        char *summary = run_script(scripts[i]);
        CU_ASSERT(begins_with(summary,
                              "suspended 0:0 \"tools.constant: put off by the stage 'gate': "
                              "so it is\""));
        free(summary);
        atomic_store(&recorded_undecided, 0);
        summary = resume();
        CU_ASSERT(begins_with(summary, "ok 1 \"1\""));
        check_replays(summary, NULL);
        free(summary);
        end();
    }
}

/* The call has failed meanwhile: nothing is put off any more. */
static void a_time_out_may_come_first(void)
{
    begin(IMAGES_NONE);
    char *summary = run_script("c5[\"hesitate\"];n;g1;c0[1];n;v1;");
    CU_ASSERT(begins_with(summary, "ok 1 \"1\"\ntools.slow 1 0 bytes"));
    CU_ASSERT_EQUAL(recorded_made[SLOW], 0);
    check_replays(summary, NULL);
    free(summary);
    end();
}

static int32_t say_later_when_cancelled(void *instance, const struct pawl_stage_call *call,
                                        const struct pawl_sink *why, uint32_t *verdict)
{
    (void)instance;
    struct pollfd cancelled = {.fd = call->cancel_fd, .events = POLLIN};
    poll(&cancelled, 1, 20000);
    why->write(why->context, "too late", 8);
    *verdict = PAWL_VERDICT_PENDING;
    return PAWL_OK;
}

/* The run is over, and the stage says so only now. */
static void the_end_may_come_first(void)
{
    struct pawl_stage stage = recorded_stage;
    stage.offers_bits = PAWL_STAGE_WAITS;
    stage.judge = say_later_when_cancelled;
    begin(IMAGES_NONE);
    CU_ASSERT_EQUAL_FATAL(pawl_ring_add(host.ring, &stage, NULL, NULL), PAWL_OK);
    char *summary = run_script("c0[1];x;n;v1;");
    const char *call = strstr(summary, "tools.echo");
    CU_ASSERT(begins_with(summary, "abort"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(call);
    CU_ASSERT(begins_with(call, "tools.echo 2 0 bytes, "));
    CU_ASSERT_PTR_NOT_NULL(strstr(call, "us: it is not decided yet\n"));
    CU_ASSERT_EQUAL(made(), 0);
    free(summary);
    end();
}

/* A run that is put aside has no last word that could be too long. */
static void full_logs_do_not_stop_it(void)
{
    begin(IMAGES_USED);
    atomic_store(&recorded_undecided, 'a');
    pawl_request *request = new_request("l0123456789;c6[\"a\"];n;v1;");
    pawl_request_set_output_limit(request, 20);
    char *summary = run(request);
    CU_ASSERT(begins_with(summary, put_off));
    free(summary);
    atomic_store(&recorded_undecided, 0);
    summary = resume();
    CU_ASSERT(begins_with(summary, "ok 1 \"1\"\nlog \"0123456789\""));
    free(summary);
    end();

    begin(IMAGES_USED); /* and the ledger goes on where it was */
    atomic_store(&recorded_undecided, 'a');
    request = new_request("l0123456789;c6[\"a\"];n;l0123456789;v1;");
    pawl_request_set_output_limit(request, 25);
    free(run(request));
    atomic_store(&recorded_undecided, 0);
    summary = resume();
    CU_ASSERT(begins_with(summary, "output_limit"));
    free(summary);
    end();
}

/* --- What cannot be resumed ------------------------------------------------------------------ */

static void check_refused(pawl_request *request, const pawl_record *record, int status,
                          const char *why)
{
    pawl_error *error = NULL;
    CU_ASSERT_EQUAL(pawl_request_set_resume(request, record, &error), status);
    CU_ASSERT_PTR_NOT_NULL_FATAL(error);
    TEST_TEXT(pawl_error_message(error), why);
    pawl_error_free(error);
    pawl_request_free(request);
}

static pawl_request *empty_request_of(const pawl_record *record)
{
    pawl_request *request = NULL;
    CU_ASSERT_EQUAL_FATAL(pawl_record_request(record, 0, &request, NULL), PAWL_OK);
    return request;
}

static void refuses_to_resume(void)
{
    begin(IMAGES_NONE);
    free(run_script("c0[1];n;v1;"));
    pawl_record *record = read_tape();
    check_refused(request_of(record), record, PAWL_E_STATE,
                  "the run in the record was not suspended, it ended: ok");
    pawl_record_free(record);
    cut_line();
    record = read_tape();
    check_refused(request_of(record), record, PAWL_E_STATE,
                  "the record was cut off while the run went on: it cannot be resumed");
    pawl_record_free(record);
    end();

    begin(IMAGES_NONE);
    atomic_store(&recorded_undecided, 'a');
    free(run_script("c6[\"a\"];n;v1;"));
    record = read_tape();
    pawl_request *request = request_of(record);
    pawl_request_set_program(request, "c6[\"b\"];n;v1;", 13, NULL);
    check_refused(request, record, PAWL_E_ARGUMENT, "the program is not that of the record");

    check_refused(empty_request_of(record), record, PAWL_E_ARGUMENT,
                  "the functions are not those of the record: number 1 is missing, and was "
                  "tools.echo");

    request = request_of(record);
    pawl_request_add_value(request, "tools", "more", NULL, "1", NULL);
    check_refused(request, record, PAWL_E_ARGUMENT,
                  "the functions are not those of the record: number 10 is tools.more, and was "
                  "missing");

    request = empty_request_of(record);
    struct pawl_function_options options = {.size = sizeof(options), .signature = "echo(y?)"};
    pawl_request_add_namespace(request, "tools", "ToolError", "tool", NULL);
    pawl_request_add_value(request, "tools", "echo", &options, "1", NULL);
    check_refused(request, record, PAWL_E_ARGUMENT,
                  "the functions are not those of the record: number 1 is tools.echo, and was "
                  "tools.echo");
    pawl_record_free(record);

    edit("\"error_class\":\"ToolError\"", "\"error_class\":\"OtherError\"");
    record = read_tape();
    request = empty_request_of(record);
    CU_ASSERT_EQUAL_FATAL(recorded_add_functions(&host, request), PAWL_OK);
    check_refused(request, record, PAWL_E_ARGUMENT,
                  "the namespace tools is not as it was in the record");
    pawl_record_free(record);
    end();
}

/* Once the line stands that it goes on, a record is one that was cut off. */
static void is_resumed_once_only(void)
{
    begin(IMAGES_NONE);
    atomic_store(&recorded_undecided, 'a');
    free(run_script("c6[\"a\"];n;v1;"));
    buffer_string(&host.tape.text, "{\"resumed\":true}\n");
    pawl_record *record = read_tape();
    check_refused(request_of(record), record, PAWL_E_STATE,
                  "the record was cut off while the run went on: it cannot be resumed");
    pawl_record_free(record);
    end();
}

/* --- When the record cannot be written ------------------------------------------------------- */

static void nothing_happens_that_is_not_recorded(void)
{
    static const char script[] = "lone;k;c0[1];n;r4;dany;c8[];c0[2];n;n;c1[];n;n1;c7[];n1;g1;n;v1;";
    begin(IMAGES_NONE);
    free(run_script(script));
    unsigned lines = host.tape.lines;
    end();
    CU_ASSERT(lines > 15);
    for (unsigned at = 1; at <= lines; at++) {
        begin(IMAGES_NONE);
        host.tape.fail_at = at;
        pawl_request *request = new_request(script);
        pawl_result *result = NULL;
        pawl_error *error = NULL;
        CU_ASSERT_EQUAL(pawl_execute(host.registry, request, &result, &error), PAWL_E_RECORD);
        CU_ASSERT_PTR_NULL(result);
        TEST_TEXT(error != NULL ? pawl_error_message(error) : NULL,
                  "the run was ended, because its record cannot be written");
        pawl_error_free(error);
        pawl_request_free(request);
        recorded_go(1);
        CU_ASSERT_EQUAL(host.tape.lines, at); /* nothing behind it */
        CU_ASSERT((unsigned)made() <= count_lines(host.tape.text.data, "{\"call\":"));
        end();
    }
}

static void nor_when_it_is_resumed(void)
{
    for (enum recorded_images images = IMAGES_NONE; images <= IMAGES_HUGE; images++) {
        for (unsigned more = 1; more <= 5; more++) {
            begin(images);
            atomic_store(&recorded_undecided, 'a');
            free(run_script("c0[1];n;c6[\"a\"];n;c8[];n;v1;"));
            atomic_store(&recorded_undecided, 0);
            recorded_forget();
            host.tape.fail_at = host.tape.lines + more;
            pawl_record *record = read_tape();
            pawl_request *request = resume_request(record, NULL);
            pawl_result *result = NULL;
            CU_ASSERT_EQUAL(pawl_execute(host.registry, request, &result, NULL), PAWL_E_RECORD);
            CU_ASSERT_EQUAL(host.tape.lines, host.tape.fail_at);
            CU_ASSERT_EQUAL(recorded_made[ECHO], 0);
            CU_ASSERT_EQUAL(recorded_made[ALONE], more > 3);
            CU_ASSERT_EQUAL(recorded_judged == 0, more == 1); /* nor is anybody asked */
            pawl_request_free(request);
            pawl_record_free(record);
            end();
        }
    }
}

/* --- Malformed records ----------------------------------------------------------------------- */

#define HEADER                                                                                \
    "{\"format\":\"pawl-record/1\",\"program\":\"v;\",\"language\":\"javascript\",\"level\":" \
    "\"process\",\"budget\":{},\"policy\":{},\"namespaces\":[]}\n"

static void check_malformed(const char *text, const char *why)
{
    pawl_record *record = NULL;
    pawl_error *error = NULL;
    int status = pawl_record_read(text, strlen(text), &record, &error);
    if (why == NULL) {
        CU_ASSERT_EQUAL(status, PAWL_OK);
        if (status != PAWL_OK)
            TEST_TEXT(pawl_error_message(error), text);
    } else {
        CU_ASSERT_NOT_EQUAL(status, PAWL_OK);
        CU_ASSERT_PTR_NULL(record);
        TEST_TEXT(error != NULL ? pawl_error_message(error) : NULL, why);
    }
    pawl_error_free(error);
    pawl_record_free(record);
}

static const char as_written[] = "line 2 of the record: it is not as pawl writes it";

static void names_the_line_that_is_wrong(void)
{
    static const struct {
        const char *line, *why;
    } lines[] = {
        {"{\"log\":\"x\"}\n", NULL},
        {"{\"log\":\"x\",\"unknown\":[]}\n", NULL},
        {"{\"log\":\"x\"", NULL}, /* a host that died */
        {"{\"lo", NULL},
        {"{\"clock\":-9223372036854775808}\n", NULL},
        {"{\"random\":\"\"}\n", NULL},
        {"{\"call\":18446744073709551615,\"function\":\"f\",\"arguments\":[]}\n", NULL},
        {"\n", "line 2 of the record: it is no JSON object"},
        {"x\n", "line 2 of the record: it is no JSON object"},
        {"[]\n", "line 2 of the record: it is no JSON object"},
        {"{\"log\":\"x\"}}\n", "line 2 of the record: it is no JSON object"},
        {"{\"log\":\"\x01\"}\n", "line 2 of the record: it is no JSON object"},
        {"{\"log\":\"\xff\"}\n", "line 2 of the record: it is no JSON object"},
        {"{}\n", as_written},
        {"{\"unknown\":1}\n", as_written},
        {"{\"call\":1,\"function\":\"tools.f\"}\n", as_written},
        {"{\"call\":1,\"arguments\":[]}\n", as_written},
        {"{\"call\":1,\"function\":\"a\\u0000b\",\"arguments\":[]}\n", as_written},
        {"{\"call\":1,\"function\":\"f\",\"arguments\":[],\"settled\":1}\n", as_written},
        {"{\"log\":\"x\",\"timeout\":true}\n", as_written},
        {"{\"clock\":1,\"random\":\"\"}\n", as_written},
        {"{\"settled\":1,\"status\":\"ok\",\"bytes\":9,\"late\":true,\"value\":[1]}\n", NULL},
        {"{\"settled\":1,\"status\":\"ok\",\"bytes\":2,\"value\":[1]}\n", as_written},
        {"{\"settled\":1,\"status\":\"ok\",\"bytes\":67108868,\"value\":[1]}\n", as_written},
        {"{\"settled\":1,\"status\":\"ok\",\"bytes\":18446744073709551615,\"value\":[1]}\n",
         as_written},
        {"{\"settled\":1,\"value\":1}\n", as_written},
        {"{\"settled\":1,\"status\":0,\"value\":1}\n", as_written},
        {"{\"settled\":1,\"status\":\"fine\",\"value\":1}\n", as_written},
        {"{\"settled\":1,\"status\":\"ok\"}\n", as_written},
        {"{\"settled\":1,\"status\":\"ok\",\"message\":\"m\"}\n", as_written},
        {"{\"settled\":1,\"status\":\"error\",\"message\":\"m\"}\n", as_written},
        {"{\"settled\":1,\"status\":\"error\",\"code\":\"tool_error\"}\n", as_written},
        {"{\"settled\":1,\"status\":\"error\",\"code\":\"other\",\"message\":\"m\"}\n", as_written},
        {"{\"clock\":1.5}\n", as_written},
        {"{\"clock\":1e3}\n", as_written},
        {"{\"clock\":9223372036854775808}\n", as_written},
        {"{\"clock\":-9223372036854775809}\n", as_written},
        {"{\"clock\":111111111111111111111111111111}\n", as_written},
        {"{\"random\":\"AAA\"}\n", as_written},
        {"{\"random\":\"AA=A\"}\n", as_written},
        {"{\"random\":\"AAB=\"}\n", as_written},
        {"{\"random\":\"====\"}\n", as_written},
        {"{\"random\":\"AA\\u0041A\"}\n", as_written},
        {"{\"discover\":\"q\"}\n", as_written},
        {"{\"discover\":\"q\",\"status\":0}\n", as_written},
        {"{\"discover\":\"q\",\"status\":-8,\"answer\":[]}\n", as_written},
        {"{\"discover\":\"q\",\"status\":4294967296}\n", as_written},
        {"{\"discover\":\"q\",\"status\":-4294967296}\n", as_written},
        {"{\"discover\":\"q\",\"status\":\"0\"}\n", as_written},
        {"{\"end\":\"ok\\u0000\"}\n", as_written},
        {"{\"end\":\"suspended\",\"image\":\"A\"}\n",
         "line 2 of the record: its image is malformed"},
        {"{\"end\":\"suspended\",\"image\":\"A\xc3\xa9=\"}\n",
         "line 2 of the record: its image is malformed"},
        {"{\"call\":\"1\",\"function\":\"f\",\"arguments\":[]}\n",
         "line 2 of the record: member \"call\" has the wrong type"},
        {"{\"call\":-1,\"function\":\"f\",\"arguments\":[]}\n",
         "line 2 of the record: member \"call\" has the wrong type"},
        {"{\"call\":18446744073709551616,\"function\":\"f\",\"arguments\":[]}\n",
         "line 2 of the record: member \"call\" has the wrong type"},
        {"{\"call\":1,\"function\":\"f\",\"arguments\":{}}\n",
         "line 2 of the record: member \"arguments\" has the wrong type"},
        {"{\"log\":\"x\",\"log\":\"y\"}\n",
         "line 2 of the record: member \"log\" stands there twice"},
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct buffer text BUFFER_CLEANUP = {0};
        buffer_format(&text, HEADER "%s", lines[i].line);
        check_malformed(text.data, lines[i].why);
    }
}

static void names_what_is_wrong_with_the_first(void)
{
    static const struct {
        const char *from, *to, *why;
    } edits[] = {
        {"", "", NULL},
        {"\"program\":\"v;\"", "\"program\":\"v\\u0000\\ud800;\"", NULL},
        {"pawl-record/1", "pawl-record/2",
         "line 1 of the record: it is no record that this version reads (pawl-record/1)"},
        {"\"program\":\"v;\",", "", "line 1 of the record: member \"program\" is missing"},
        {"\"program\":\"v;\"", "\"program\":1",
         "line 1 of the record: member \"program\" has the wrong type"},
        {"\"language\":\"javascript\"", "\"language\":\"java\\u0000script\"",
         "line 1 of the record: a name must not hold the character U+0000"},
        {"\"policy\":{}", "\"policy\":{\"egress\":4294967296}",
         "line 1 of the record: its policy is unknown"},
        {"\"policy\":{}", "\"policy\":{\"files\":1,\"writable\":[\"/\"]}",
         "line 1 of the record: a policy of files cannot be had again from a record"},
        {"\"budget\":{}", "\"budget\":{\"max_calls\":-1}",
         "line 1 of the record: member \"max_calls\" has the wrong type"},
        {"\"budget\":{}", "\"budget\":{\"max_calls\":18446744073709551616}",
         "line 1 of the record: member \"max_calls\" has the wrong type"},
        {"\"namespaces\":[]", "\"namespaces\":[{\"name\":\"tools\"}]",
         "line 1 of the record: member \"functions\" is missing"},
        {"\"namespaces\":[]", "\"namespaces\":[1]", "line 1 of the record: it is no object"},
        {"\"namespaces\":[]",
         "\"namespaces\":[{\"name\":\"tools\",\"functions\":[{\"name\":\"a\\u0000\"}]}]",
         "line 1 of the record: a name must not hold the character U+0000"},
        {"{\"format\"", "x{\"format\"", "line 1 of the record: it is no JSON object"},
        {HEADER, "\n", "line 1 of the record: it is no JSON object"},
        {HEADER, "", "line 1 of the record: there is none"},
        {HEADER, "{\"log\":\"x\"}\n", "line 1 of the record: member \"format\" is missing"},
    };
    for (size_t i = 0; i < COUNT(edits); i++) {
        struct buffer text BUFFER_CLEANUP = {0};
        const char *at = strstr(HEADER, edits[i].from);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        buffer_format(&text, "%.*s%s%s", (int)(at - HEADER), HEADER, edits[i].to,
                      at + strlen(edits[i].from));
        check_malformed(text.data, edits[i].why);
    }
    pawl_record *record = NULL;
    CU_ASSERT_EQUAL(pawl_record_read(HEADER, sizeof(HEADER) - 2, &record, NULL), PAWL_OK);
    pawl_record_free(record); /* without its line end */
    CU_ASSERT_EQUAL(pawl_record_read("{\0}\n", 4, &record, NULL), PAWL_E_CONFIG);
}

int main(void)
{
    static CU_TestInfo written[] = {
        {"has the lines that it should", has_the_lines_that_it_should},
        {"ends with the failure", ends_with_the_failure},
        {"keeps what the host added as JSON", keeps_what_the_host_added_as_json},
        {"nothing happens that is not recorded", nothing_happens_that_is_not_recorded},
        {"nor when a run is resumed", nor_when_it_is_resumed},
        CU_TEST_INFO_NULL,
    };
    static CU_TestInfo read[] = {
        {"names the line that is wrong", names_the_line_that_is_wrong},
        {"names what is wrong with the first", names_what_is_wrong_with_the_first},
        CU_TEST_INFO_NULL,
    };
    static CU_TestInfo replays[] = {
        {"is the run", a_replay_is_the_run},
        {"every byte survives", every_byte_survives},
        {"deep values survive", deep_values_survive},
        {"calls that were not taken are recorded", calls_not_taken_are_recorded},
        {"white space around arguments is no difference",
         white_space_around_arguments_is_no_difference},
        {"a time-out is none for one that waits", a_time_out_is_none_for_one_that_waits},
        {"calls that were refused are refused again", refused_calls_are_refused_again},
        {"constants are not refused", constants_are_not_refused},
        {"ends of the host", ends_of_the_host_are_replayed},
        CU_TEST_INFO_NULL,
    };
    static CU_TestInfo divergence[] = {
        {"names where a run differs", names_where_a_run_differs},
        {"an engine that dies is no difference", an_engine_that_dies_is_no_difference},
        {"waits for another call", waits_for_another_call},
        {"a record that was cut off", a_record_that_was_cut_off},
        {"shows the beginning of long arguments", shows_the_beginning_of_long_arguments},
        CU_TEST_INFO_NULL,
    };
    static CU_TestInfo suspension[] = {
        {"a pending call suspends", a_pending_call_suspends},
        {"without a recorder it is denied", without_a_recorder_it_is_denied},
        {"what runs is waited for", what_runs_is_waited_for},
        {"a poll is not woken for nothing", a_poll_is_not_woken_for_nothing},
        {"it can be put off again", it_can_be_put_off_again},
        {"what never got going changes nothing", what_never_got_going_changes_nothing},
        {"it must come to the same place", a_resumed_run_must_come_to_the_same_place},
        {"an image needs a record that fits", an_image_needs_a_record_that_fits},
        {"a deadline may come first", a_deadline_may_come_first},
        {"many can be put off", many_can_be_put_off},
        {"a constant can be put off", a_constant_can_be_put_off},
        {"a time-out may come first", a_time_out_may_come_first},
        {"the end may come first", the_end_may_come_first},
        {"full logs do not stop it", full_logs_do_not_stop_it},
        {"refusals to resume", refuses_to_resume},
        {"is resumed once only", is_resumed_once_only},
        CU_TEST_INFO_NULL,
    };
    static CU_SuiteInfo suites[] = {
        {"a record", NULL, NULL, NULL, NULL, written},
        {"reading", NULL, NULL, NULL, NULL, read},
        {"replay", NULL, NULL, NULL, NULL, replays},
        {"divergence", NULL, NULL, NULL, NULL, divergence},
        {"suspension", NULL, NULL, NULL, NULL, suspension},
        CU_SUITE_INFO_NULL,
    };
    return test_main(suites);
}
