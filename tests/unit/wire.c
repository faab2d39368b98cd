/* What both sides of the wire are made of: text, JSON, frames. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pawl/wire.h>

#include "providers/program/plain.h"
#include "providers/wire/frame.h"
#include "tests/unit/test.h"

/* --- Text ------------------------------------------------------------------------------------ */

static void text_keeps_its_limit(void)
{
    struct text text TEXT_CLEANUP = {.limit = 5};
    text_string(&text, "abc");
    text_string(&text, "def");
    CU_ASSERT_EQUAL(text.failed, PAWL_E_LIMIT);
    CU_ASSERT_EQUAL(text.size, 3);
    text_string(&text, "d"); /* a failure stays */
    CU_ASSERT_PTR_NULL(text_get(&text));
    text_clear(&text);
    text_format(&text, "%d", 12345);
    TEST_TEXT(text_get(&text), "12345");
}

static void numbers_are_written(void)
{
    static const struct {
        uint64_t number;
        const char *digits;
    } numbers[] = {{0, "0"}, {9, "9"}, {10, "10"}, {UINT64_MAX, "18446744073709551615"}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct text text TEXT_CLEANUP = {0};
        text_unsigned(&text, numbers[i].number);
        TEST_TEXT(text_get(&text), numbers[i].digits);
    }
    struct text small TEXT_CLEANUP = {.limit = 2};
    text_unsigned(&small, 123);
    CU_ASSERT_EQUAL(small.failed, PAWL_E_LIMIT);
    CU_ASSERT_EQUAL(small.size, 0);
}

/* The first attempt has just enough room, or one byte too little for the NUL. */
static void formats_of_any_size(void)
{
    for (int before = 0; before < 300; before++) {
        struct text text TEXT_CLEANUP = {0};
        for (int i = 0; i < before; i++)
            text_append(&text, "-", 1);
        text_format(&text, "%0200d|%s", 7, "end");
        CU_ASSERT_EQUAL(text.size, (size_t)before + 204);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text_get(&text));
        CU_ASSERT_EQUAL(strspn(text.data, "-"), (size_t)before);
        TEST_TEXT(text.data + before + 199, "7|end");
    }
}

/* Each byte at each place of two words of eight. */
static void plain_bytes_are_counted(void)
{
    for (int byte = 0; byte < 256; byte++)
        for (size_t at = 0; at < 20; at++) {
            char data[20];
            memset(data, at % 2 == 0 ? '~' : ' ', sizeof(data));
            data[at] = (char)byte;
            const bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
            CU_ASSERT_EQUAL(json_plain(data, sizeof(data)), plain ? sizeof(data) : at);
            CU_ASSERT_EQUAL(json_plain(data, at), at);
        }
}

static void strings_are_escaped(void)
{
    struct text text TEXT_CLEANUP = {0};
    text_json_string(&text, "a\"\\\n\t\0\x1f\x7f", 8);
    TEST_TEXT(text_get(&text), "\"a\\\"\\\\\\n\\u0009\\u0000\\u001f\x7f\"");
    text_clear(&text);
    text_json_string(&text, "\xc3\xa4\xff\xed\xa0\x80\xf0\x9f\x98\x80\xc0\x80", 12);
    TEST_TEXT(text_get(&text),
              "\"\xc3\xa4\\udcff\\udced\\udca0\\udc80\xf0\x9f\x98\x80\\udcc0\\udc80\"");
}

static void round_trip(const char *data, size_t size)
{
    struct text json TEXT_CLEANUP = {0}, back TEXT_CLEANUP = {0};
    struct json value;
    text_json_string(&json, data, size);
    CU_ASSERT_TRUE_FATAL(json_check(json.data, json.size, &value));
    CU_ASSERT_EQUAL(json_type(value), JSON_STRING);
    json_decode(value, &back);
    CU_ASSERT_EQUAL(back.size, size);
    CU_ASSERT(back.size != size || size == 0 || memcmp(back.data, data, size) == 0);
}

static void any_bytes_survive(void)
{
    char bytes[512];
    for (int first = 0; first < 256; first++)
        for (int second = 0; second < 256; second += 5) {
            const char pair[] = {(char)first, (char)second, (char)0x80};
            round_trip(pair, 3);
        }
    uint32_t state = 1;
    for (int i = 0; i < 2000; i++) {
        for (size_t at = 0; at < sizeof(bytes); at++) {
            state = state * 1664525 + 1013904223;
            /* mostly bytes that could make up a character */
            bytes[at] = (char)(state >> 29 ? 0x80 | state >> 24 : state >> 24);
        }
        round_trip(bytes, state % sizeof(bytes));
    }
    round_trip("", 0);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void good_json(void)
{
    static const char *const good[] = {
        "null",
        " true ",
        "false",
        "0",
        "-0",
        "-0.0e+0",
        "12E3",
        "1.5e-7",
        "\"\"",
        "\"\\ud800\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fF\"",
        "[]",
        "[ ]",
        "[1,2]",
        "{}",
        "{ }",
        "{\"a\":1}",
        "{\"a\" : [ { } , [ ] ] , \"\" : null}\n",
        "[[[[]]],{\"x\":{\"y\":[0]}}]",
        "\"\xc2\x80\xef\xbf\xbf\xf4\x8f\xbf\xbf\x7f\"",
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        if (!json_check(good[i], strlen(good[i]), NULL))
            TEST_TEXT("refused", good[i]);
}

static void bad_json(void)
{
    static const char *const bad[] = {
        "",
        " ",
        "nul",
        "nulll",
        "True",
        "NaN",
        "Infinity",
        "-",
        "+1",
        "01",
        "-01",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "1 2",
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u123\"",
        "\"\n\"",
        "'a'",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1}",
        "{",
        "}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{1:1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1]",
        "[}",
        "{]",
        "\"\xff\"",
        "\"\xc0\x80\"",
        "\"\xe0\x9f\xbf\"",
        "\"\xed\xa0\x80\"",
        "\"\xf0\x8f\xbf\xbf\"",
        "\"\xf4\x90\x80\x80\"",
        "\"\xf5\x80\x80\x80\"",
        "\"\xc3\"",
        "\xef\xbb\xbf{}",
        "//\n1",
        "1,",
        "[]]",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (json_check(bad[i], strlen(bad[i]), NULL))
            TEST_TEXT("accepted", bad[i]);
    CU_ASSERT_FALSE(json_check("1\0", 2, NULL));
    CU_ASSERT_FALSE(json_check("\"\\\0\"", 4, NULL));
}

static bool nested(size_t depth, const char *open, const char *inner, const char *close)
{
    struct text text TEXT_CLEANUP = {0};
    for (size_t i = 0; i < depth; i++)
        text_string(&text, open);
    text_string(&text, inner);
    for (size_t i = 0; i < depth; i++)
        text_string(&text, close);
    return json_check(text.data, text.size, NULL);
}

static void depth_is_limited(void)
{
    CU_ASSERT(nested(PAWL_WIRE_DEPTH, "[", "1", "]"));
    CU_ASSERT(nested(PAWL_WIRE_DEPTH, "{\"a\":", "1", "}"));
    CU_ASSERT(nested(PAWL_WIRE_DEPTH - 1, "[", "{}", "]"));
    CU_ASSERT_FALSE(nested(PAWL_WIRE_DEPTH, "[", "[]", "]"));
    CU_ASSERT_FALSE(nested(PAWL_WIRE_DEPTH + 1, "[", "1", "]"));
    CU_ASSERT_FALSE(nested(1000000, "[", "", ""));
}

static struct json checked(const char *text)
{
    struct json value = {NULL, 0};
    CU_ASSERT_TRUE_FATAL(json_check(text, strlen(text), &value));
    return value;
}

static void members_are_found(void)
{
    struct json_member m[] = {{.name = "id", .type = JSON_UNSIGNED, .required = true},
                              {.name = "value"}};
    struct text why TEXT_CLEANUP = {0};
    uint64_t id;
    CU_ASSERT(
        json_members(checked(" {\"x\":[1,{\"id\":2}], \"value\" : [ 1 ] ,\"id\":7}"), m, 2, &why));
    CU_ASSERT(json_unsigned(m[0].value, &id) && id == 7);
    CU_ASSERT(m[1].value.size == 5 && memcmp(m[1].value.text, "[ 1 ]", 5) == 0);
    CU_ASSERT(json_members(checked("{\"id\":18446744073709551615}"), m, 2, &why));
    CU_ASSERT(json_unsigned(m[0].value, &id) && id == UINT64_MAX);
    CU_ASSERT_PTR_NULL(m[1].value.text);
    static const char *const wrong[] = {
        "[]",
        "1",
        "{}",
        "{\"id\":\"7\"}",
        "{\"id\":-1}",
        "{\"id\":1.0}",
        "{\"id\":1e2}",
        "{\"id\":18446744073709551616}",
        "{\"id\":1,\"id\":1}",
        "{\"id\":null}",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        text_clear(&why);
        CU_ASSERT_FALSE(json_members(checked(wrong[i]), m, 2, &why));
        CU_ASSERT(why.size > 0);
    }
}

static void strings_are_decoded(void)
{
    struct text text TEXT_CLEANUP = {0};
    json_decode(
        checked("\"\\u0041\\u00e4\\u20ac\\ud83d\\ude00\\ud800x\\udc7f\\udcfe\\/\\b\\f\\r\\t\""),
        &text);
    TEST_TEXT(text_get(&text),
              "A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xed\xa0\x80x\xed\xb1\xbf\xfe/\b\f\r\t");
    CU_ASSERT(json_equals(checked("\"id\""), "id"));
    CU_ASSERT_FALSE(json_equals(checked("\"\\u0069d\""), "id"));
    CU_ASSERT_FALSE(json_equals(checked("\"ida\""), "id"));
}

static void containers_are_stepped_through(void)
{
    struct json name, value;
    struct json_iterator array = json_iterate(checked("[ \"a\" , \"b\",[1,2]]"));
    int count = 0;
    while (json_next(&array, NULL, &value))
        count++;
    CU_ASSERT_EQUAL(count, 3);
    struct json_iterator object = json_iterate(checked("{\"a\" : 1 , \"b\":\"c\"}"));
    CU_ASSERT(json_next(&object, &name, &value) && json_equals(name, "a") && value.size == 1);
    CU_ASSERT(json_next(&object, &name, &value) && json_equals(name, "b") &&
              json_equals(value, "c"));
    CU_ASSERT_FALSE(json_next(&object, &name, &value));
}

/* Whatever stands in a value, the next one begins behind it. */
static void values_are_passed_over(void)
{
    static const char *const values[] = {
        "\"\"",
        "\"a\\\"b\"",
        "\"\\\\\"",
        "\"\\\\\\\",\"",
        "\"]},{[\"",
        "0",
        "-1.5e+3",
        "true",
        "null",
        "[]",
        "{}",
        "[[],[[]]]",
        "{\"]\":\"}\",\"\\\"\":[{\"a\":[1,2]}]}",
        "[\"\\\\\",\"[\"]",
    };
    static const char *const spaces[] = {"", " ", "\n\t"};
    const size_t count = sizeof(values) / sizeof(values[0]);
    for (size_t i = 0; i < 3; i++) {
        struct text array TEXT_CLEANUP = {0}, object TEXT_CLEANUP = {0};
        struct json value, name, checked;
        for (size_t j = 0; j < count; j++) {
            text_format(&array, "%s%s%s%s", j == 0 ? "[" : ",", spaces[i], values[j], spaces[i]);
            text_format(&object, "%s%s%s%s:%s%s%s", j == 0 ? "{" : ",", spaces[i], "\"\\\\\\\"\"",
                        spaces[i], spaces[i], values[j], spaces[i]);
        }
        text_string(&array, "]");
        text_string(&object, "}");
        CU_ASSERT_TRUE_FATAL(json_check(array.data, array.size, &checked));
        struct json_iterator iterator = json_iterate(checked);
        for (size_t j = 0; j < count; j++) {
            CU_ASSERT_TRUE_FATAL(json_next(&iterator, NULL, &value));
            CU_ASSERT_EQUAL(value.size, strlen(values[j]));
            CU_ASSERT_EQUAL(memcmp(value.text, values[j], value.size), 0);
        }
        CU_ASSERT_FALSE(json_next(&iterator, NULL, &value));
        CU_ASSERT_TRUE_FATAL(json_check(object.data, object.size, &checked));
        iterator = json_iterate(checked);
        for (size_t j = 0; j < count; j++) {
            CU_ASSERT_TRUE_FATAL(json_next(&iterator, &name, &value));
            CU_ASSERT_EQUAL(name.size, 6);
            CU_ASSERT_EQUAL(value.size, strlen(values[j]));
            CU_ASSERT_EQUAL(memcmp(value.text, values[j], value.size), 0);
        }
        CU_ASSERT_FALSE(json_next(&iterator, &name, &value));
    }
}

/* --- Frames ---------------------------------------------------------------------------------- */

static void frames_are_taken(void)
{
    static const char bytes[] = "\x02\0\0\0v{}\0\0\0\0s\x05\0\0\0l[1,2]\x01\0\0\0c";
    struct frame_reader reader = {.limit = 5};
    struct frame frame;
    size_t taken = 0;
    for (size_t i = 0; i < sizeof(bytes) - 1; i++) {
        CU_ASSERT_EQUAL(frame_feed(&reader, bytes + i, 1), PAWL_OK);
        while (taken < 3 && frame_take(&reader, &frame) == 1) {
            static const char types[] = "vsl";
            static const size_t sizes[] = {2, 0, 5};
            CU_ASSERT_EQUAL(frame.type, types[taken]);
            CU_ASSERT_EQUAL(frame.size, sizes[taken]);
            taken++;
        }
    }
    CU_ASSERT_EQUAL(taken, 3);
    CU_ASSERT(frame_is_partial(&reader));
    frame_reader_free(&reader);
    CU_ASSERT_FALSE(frame_is_partial(&reader));
}

static void large_frames_are_refused_early(void)
{
    struct frame_reader reader = {.limit = 1000};
    struct frame frame;
    CU_ASSERT_EQUAL(frame_feed(&reader, "\xe9\x03\0\0v", 5), PAWL_OK);
    CU_ASSERT_EQUAL(frame_take(&reader, &frame), PAWL_E_LIMIT);
    CU_ASSERT_EQUAL(frame_take(&reader, &frame), PAWL_E_LIMIT);
    frame_reader_free(&reader);
    /* What a header promises is not allocated. */
    reader.limit = PAWL_WIRE_FRAME_MOST;
    CU_ASSERT_EQUAL(frame_feed(&reader, "\0\0\0\x40v", 5), PAWL_OK);
    CU_ASSERT_EQUAL(frame_take(&reader, &frame), 0);
    CU_ASSERT(reader.capacity < 65536);
    frame_reader_free(&reader);
}

static void frames_are_written(void)
{
    int fds[2];
    struct frame_writer writer = {0};
    struct frame_reader reader = {.limit = 1 << 20};
    struct frame frame;
    CU_ASSERT_EQUAL_FATAL(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    text_string(frame_begin(&writer, 'a'), "too long");
    CU_ASSERT_EQUAL(frame_end(&writer, 7), PAWL_E_LIMIT);
    CU_ASSERT_FALSE(frame_is_queued(&writer));
    /* More than the pipe holds. */
    struct text *text = frame_begin(&writer, 'b');
    for (int i = 0; i < 50000; i++)
        text_string(text, "0123456789");
    CU_ASSERT_EQUAL(frame_end(&writer, 1 << 20), PAWL_OK);
    text_string(frame_begin(&writer, 'c'), "{}");
    CU_ASSERT_EQUAL(frame_end(&writer, 1 << 20), PAWL_OK);
    CU_ASSERT_EQUAL(frame_read(&reader, fds[0]), PAWL_E_TIMEOUT);
    int32_t status, taken = 0;
    while ((status = frame_flush(&writer, fds[1])) == PAWL_E_TIMEOUT)
        CU_ASSERT(frame_read(&reader, fds[0]) > 0);
    CU_ASSERT_EQUAL(status, PAWL_OK);
    CU_ASSERT_FALSE(frame_is_queued(&writer));
    while (frame_read(&reader, fds[0]) > 0)
        ;
    while (frame_take(&reader, &frame) == 1)
        CU_ASSERT_EQUAL(frame.size, taken++ == 0 ? 500000 : 2);
    CU_ASSERT_EQUAL(taken, 2);
    close(fds[1]);
    CU_ASSERT_EQUAL(frame_read(&reader, fds[0]), 0);
    close(fds[0]);
    frame_reader_free(&reader);
    frame_writer_free(&writer);
}

static void nobody_reads(void)
{
    int fds[2];
    struct frame_writer writer = {0};
    signal(SIGPIPE, SIG_IGN);
    CU_ASSERT_EQUAL_FATAL(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
    close(fds[0]);
    text_string(frame_begin(&writer, 'a'), "{}");
    CU_ASSERT_EQUAL(frame_end(&writer, 100), PAWL_OK);
    CU_ASSERT_EQUAL(frame_flush(&writer, fds[1]), PAWL_E_ENDED);
    close(fds[1]);
    CU_ASSERT_EQUAL(frame_flush(&writer, -1), PAWL_E_SYSTEM);
    frame_writer_free(&writer);
    signal(SIGPIPE, SIG_DFL);
}

int main(void)
{
    static CU_TestInfo text[] = {{"limit", text_keeps_its_limit},
                                 {"numbers are written", numbers_are_written},
                                 {"formats of any size", formats_of_any_size},
                                 {"plain bytes are counted", plain_bytes_are_counted},
                                 {"strings are escaped", strings_are_escaped},
                                 {"any bytes survive", any_bytes_survive},
                                 CU_TEST_INFO_NULL};
    static CU_TestInfo json[] = {{"good", good_json},
                                 {"bad", bad_json},
                                 {"depth", depth_is_limited},
                                 {"members", members_are_found},
                                 {"strings are decoded", strings_are_decoded},
                                 {"containers", containers_are_stepped_through},
                                 {"values are passed over", values_are_passed_over},
                                 CU_TEST_INFO_NULL};
    static CU_TestInfo frames[] = {{"are taken", frames_are_taken},
                                   {"large ones are refused early", large_frames_are_refused_early},
                                   {"are written", frames_are_written},
                                   {"nobody reads", nobody_reads},
                                   CU_TEST_INFO_NULL};
    static CU_SuiteInfo suites[] = {{"text", NULL, NULL, NULL, NULL, text},
                                    {"json", NULL, NULL, NULL, NULL, json},
                                    {"frames", NULL, NULL, NULL, NULL, frames},
                                    CU_SUITE_INFO_NULL};
    return test_main(suites);
}
