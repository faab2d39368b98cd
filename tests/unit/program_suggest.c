#include "providers/program/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "providers/program/unawaited.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct program_name names[] = {
    {"tools", "get_logs"},       {"tools", "get_log_lines"}, {"tools", "send-mail"},
    {"tools", "listUsers"},      {"tools", "delete_file"},   {"tools", "getHTTPStatus"},
    {"calendar", "list_events"}, {"calendar", "get_logs"},   {"tools", "weather"},
};

/* ---- nearest names ---- */

static void check_nearest(const char *wanted, const char *space, const char *expected)
{
    size_t nearest[PROGRAM_NEAREST_MAX];
    char actual[256] = "";
    size_t found = program_nearest(wanted, space, names, COUNT(names), nearest);
    for (size_t i = 0; i < found; i++)
        snprintf(actual + strlen(actual), sizeof actual - strlen(actual), "%s%s.%s",
                 i > 0 ? " " : "", names[nearest[i]].space, names[nearest[i]].member);
    if (strcmp(actual, expected) != 0)
        printf("\n  of: %s\n  expected: %s\n  actual:   %s\n", wanted, expected, actual);
    CU_ASSERT_STRING_EQUAL(actual, expected);
}

static void test_nearest(void)
{
    check_nearest("getLogs", "tools", "tools.get_logs calendar.get_logs tools.get_log_lines");
    check_nearest("get-logs", "calendar", "calendar.get_logs tools.get_logs tools.get_log_lines");
    check_nearest("GET_LOGS", NULL, "calendar.get_logs tools.get_logs tools.get_log_lines");
    check_nearest("get_lgos", "tools", "tools.get_logs calendar.get_logs");
    check_nearest("sendmail", "tools", "tools.send-mail");
    check_nearest("send_email", "tools", "tools.send-mail");
    check_nearest("sned_mail", "tools", "tools.send-mail");
    check_nearest("list_users", "tools", "tools.listUsers");
    check_nearest("get_user", "tools", "tools.listUsers");
    check_nearest("users", "tools", "tools.listUsers");
    check_nearest("http_status", NULL, "tools.getHTTPStatus");
    check_nearest("getWeather", "tools", "tools.weather");
    check_nearest("deleteFiles", "tools", "tools.delete_file");
    check_nearest("list_calendar_events", NULL, "calendar.list_events");
    check_nearest("frobnicate", "tools", "");
    check_nearest("get_stock_price", "tools", "");
    check_nearest("", "tools", "");
    check_nearest("___", "tools", "");
    check_nearest("x", "tools", "");
    check_nearest("fetch", NULL, "");
}

/* The answer is that of the names, not of their order; and long or odd names do no harm. */
static void test_nearest_order(void)
{
    struct program_name shuffled[COUNT(names)];
    char long_name[300];
    size_t nearest[PROGRAM_NEAREST_MAX];
    for (size_t shift = 0; shift < COUNT(names); shift++) {
        for (size_t i = 0; i < COUNT(names); i++)
            shuffled[i] = names[(i * 4 + shift) % COUNT(names)];
        CU_ASSERT_EQUAL_FATAL(program_nearest("getLogs", NULL, shuffled, COUNT(names), nearest), 3);
        CU_ASSERT_STRING_EQUAL(shuffled[nearest[0]].space, "calendar");
        CU_ASSERT_STRING_EQUAL(shuffled[nearest[1]].member, "get_logs");
        CU_ASSERT_STRING_EQUAL(shuffled[nearest[2]].member, "get_log_lines");
    }
    memset(long_name, 'a', sizeof long_name);
    long_name[sizeof long_name - 1] = 0;
    shuffled[0] = (struct program_name){"tools", long_name};
    shuffled[1] = (struct program_name){"tools", ""};
    shuffled[2] = (struct program_name){"tools", "\xFF\xFE"};
    CU_ASSERT_EQUAL(program_nearest(long_name, NULL, shuffled, 3, nearest), 0);
    CU_ASSERT_EQUAL(program_nearest("a", NULL, shuffled, 3, nearest), 0);
    for (size_t i = 0; i < sizeof long_name - 1; i++)
        long_name[i] = i % 2 ? '_' : 'b';
    program_nearest(long_name, NULL, names, COUNT(names), nearest);
    CU_ASSERT_EQUAL(program_nearest("abc", NULL, NULL, 0, nearest), 0);
}

/* ---- calls that are not awaited ---- */

static void check_unawaited(const char *text, const char *call, unsigned line, unsigned column)
{
    struct program_unawaited found;
    bool is_found = program_find_unawaited(text, strlen(text), names, COUNT(names), &found);
    if (is_found != (call != NULL) || (is_found && strcmp(call, found.call) != 0))
        printf("\n  of: %s\n  found: %s\n", text, is_found ? found.call : "nothing");
    CU_ASSERT_EQUAL_FATAL(is_found, call != NULL);
    if (call != NULL)
        CU_ASSERT_STRING_EQUAL(found.call, call);
    CU_ASSERT_EQUAL(found.line, line);
    CU_ASSERT_EQUAL(found.column, column);
}

static void test_unawaited(void)
{
    check_unawaited("x = tools.a(1).b", "tools.a", 1, 5);
    check_unawaited("x = tools.a({b: [1]})[0]", "tools.a", 1, 5);
    check_unawaited("await tools.b()\nreturn tools.a().length", "tools.a", 2, 8);
    check_unawaited("tools.b()\ntools.a().c", "tools.a", 2, 1);
    check_unawaited("const x = tools.a();\nreturn x.map(y)", "tools.a", 1, 11);
    check_unawaited("const x = tools.a();\nfor (const y of x) z", "tools.a", 1, 11);
    check_unawaited("const x = calendar.a(); return [...x]", "calendar.a", 1, 11);
    check_unawaited("const x = tools.a(); return x[0]", "tools.a", 1, 11);

    check_unawaited("x = (await tools.a()).b", NULL, 0, 0);
    check_unawaited("const x = await tools.a(); x.b", NULL, 0, 0);
    check_unawaited("const x = tools.a(); const y = await x; y.b", NULL, 0, 0);
    check_unawaited("const x = tools.a(); x.c; await x", NULL, 0, 0);
    check_unawaited("const x = tools.a(), y = tools.b(); await Promise.all([x, y])", NULL, 0, 0);
    check_unawaited("tools.a().then(b)", NULL, 0, 0);
    check_unawaited("const x = tools.a(); x.then(b)", NULL, 0, 0);
    check_unawaited("return tools.a()", NULL, 0, 0);
    check_unawaited("await Promise.all([tools.a(), tools.b()])", NULL, 0, 0);
    check_unawaited("other.a().b; x.tools.a().b", NULL, 0, 0);
    check_unawaited("tools.a.b; tools['a']().b; tools", NULL, 0, 0);
    check_unawaited("tools.a(", NULL, 0, 0);
    check_unawaited("", NULL, 0, 0);
}

/* ---- suggestions ---- */

struct taken {
    size_t count;
    char text[PROGRAM_SUGGESTIONS_MAX][512];
};

static void take(void *context, const char *suggestion)
{
    struct taken *taken = context;
    CU_ASSERT_FATAL(taken->count < PROGRAM_SUGGESTIONS_MAX);
    CU_ASSERT_FATAL(strlen(suggestion) <= 400);
    CU_ASSERT_PTR_NULL(strpbrk(suggestion, "\r\n"));
    CU_ASSERT_PTR_NULL(strstr(suggestion, "{}"));
    strcpy(taken->text[taken->count++], suggestion);
}

/* Each of `expected`, up to a NULL, begins or stands in the suggestion of its place. */
static void check(struct program_failure failure, const char *const *expected)
{
    struct taken taken = {0};
    size_t count = program_suggest(&failure, names, COUNT(names), take, &taken), i;
    CU_ASSERT_EQUAL(count, taken.count);
    for (i = 0; expected[i] != NULL; i++) {
        bool holds = i < taken.count && strstr(taken.text[i], expected[i]) != NULL;
        if (!holds)
            printf("\n  of: %s %s\n  expected: %s\n  actual:   %s\n",
                   failure.kind ? failure.kind : "", failure.message ? failure.message : "",
                   expected[i], i < taken.count ? taken.text[i] : "nothing");
        CU_ASSERT_TRUE(holds);
    }
    if (taken.count != i)
        printf("\n  of: %s\n  more: %s\n", failure.message ? failure.message : "", taken.text[i]);
    CU_ASSERT_EQUAL(taken.count, i);
}

#define EXPECT(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_NONE ((const char *const[]){NULL})

static void test_names(void)
{
    check((struct program_failure){.kind = "runtime", .object = "tools", .member = "getLogs"},
          EXPECT("Did you mean tools.get_logs, calendar.get_logs or tools.get_log_lines?"));
    check((struct program_failure){.kind = "runtime", .identifier = "listUsers"},
          EXPECT("The function belongs to tools: call tools.listUsers(…)."));
    check((struct program_failure){.kind = "runtime", .identifier = "list_users"},
          EXPECT("Did you mean tools.listUsers?"));
    check((struct program_failure){.kind = "runtime", .object = "tools", .member = "sendMail"},
          EXPECT("Did you mean tools[\"send-mail\"]?"));
    check((struct program_failure){.kind = "runtime", .identifier = "tool"},
          EXPECT("The host's functions are in tools."));
    check((struct program_failure){.kind = "runtime", .object = "tools", .member = "frobnicate"},
          EXPECT_NONE);
    check((struct program_failure){.kind = "runtime", .identifier = "frobnicate"}, EXPECT_NONE);
    check((struct program_failure){.kind = "runtime",
                                   .identifier = "functions",
                                   .text = "return await functions.delete_file('a')",
                                   .length = 39},
          EXPECT("The function belongs to tools: call tools.delete_file(…)."));
    check(
        (struct program_failure){
            .kind = "runtime", .identifier = "functions", .text = "functions.x", .length = 11},
        EXPECT_NONE);
}

static void test_messages(void)
{
    check((struct program_failure){.kind = "runtime", .message = "fetch is not defined"},
          EXPECT("no network access"));
    check((struct program_failure){.kind = "runtime",
                                   .message = "ReferenceError: 'process' is not defined"},
          EXPECT("environment variables"));
    check((struct program_failure){.kind = "runtime", .message = "tools.getLogz is not a function"},
          EXPECT("Did you mean tools.get_logs"));
    check((struct program_failure){.kind = "runtime", .message = "x.map is not a function"},
          EXPECT("Look at what the value really is"));
    check((struct program_failure){.kind = "runtime", .message = "not a function"}, EXPECT_NONE);
    check((struct program_failure){.kind = "runtime", .message = " is not defined"}, EXPECT_NONE);
    check((struct program_failure){.kind = "runtime", .message = ". is not a function"},
          EXPECT_NONE);
    check((struct program_failure){.kind = "runtime",
                                   .message = "Cannot read properties of undefined (reading 'a')"},
          EXPECT("A value is missing"));
    check((struct program_failure){.kind = "runtime", .message = "x is not iterable"},
          EXPECT("need an array"));
    check((struct program_failure){.kind = "syntax",
                                   .language = "javascript-es5",
                                   .message =
                                       "arrow functions: this syntax is newer than javascript-es5"},
          EXPECT("Run the program as language javascript"));
}

static void test_mistakes(void)
{
    static const struct {
        const char *identifier, *expected;
    } identifiers[] = {
        {"XMLHttpRequest", "no network"},
        {"WebSocket", "no network"},
        {"require", "no modules"},
        {"module", "no modules"},
        {"Deno", "console.log"},
        {"fs", "no files"},
        {"Buffer", "TextEncoder"},
        {"window", "no browser"},
        {"document", "no browser"},
        {"localStorage", "nothing is kept"},
        {"alert", "console.log"},
        {"setImmediate", "queueMicrotask"},
        {"crypto", "Math.random"},
        {"lodash", "no libraries"},
        {"None", "write true, false or null"},
        {"len", "is Python"},
    };
    static const struct {
        const char *value, *expected;
    } values[] = {
        {"Map", "Object.fromEntries(map)"},
        {"Set", "[...set]"},
        {"promise", "put await"},
        {"class", "{...instance}"},
        {"function", "A function is no JSON"},
        {"NaN", "NaN is no JSON"},
        {"-Infinity", "-Infinity is no JSON"},
        {"bigint", "Number(value)"},
        {"undefined", "inside an array"},
        {"cycle", "contains itself"},
        {"sparse", "has holes"},
        {"Uint8Array", "Array.from(value)"},
        {"what is this", "plain objects"},
    };
    static const struct {
        const char *module, *expected;
    } modules[] = {
        {"fs", "no files"},         {"node:fs", "no files"},
        {"axios", "no network"},    {"url", "without import"},
        {"lodash", "No libraries"}, {"./helpers.js", "Leave the line out"},
    };
    for (size_t i = 0; i < COUNT(identifiers); i++)
        check((struct program_failure){.kind = "runtime", .identifier = identifiers[i].identifier},
              EXPECT(identifiers[i].expected));
    for (size_t i = 0; i < COUNT(values); i++)
        check((struct program_failure){.kind = "bad_result", .value = values[i].value},
              EXPECT(values[i].expected));
    for (size_t i = 0; i < COUNT(modules); i++)
        check((struct program_failure){.kind = "syntax", .module = modules[i].module},
              EXPECT(modules[i].expected));
}

static void test_kinds(void)
{
    static const char *const kinds[] = {PROGRAM_NO_VALUE,
                                        "syntax",
                                        "pending",
                                        "bad_result",
                                        "output_limit",
                                        "deadline",
                                        "budget_calls",
                                        "budget_bytes",
                                        "budget_memory",
                                        "abort",
                                        "stage_denied",
                                        "stage_failed",
                                        "worker_exit",
                                        "binding_collision",
                                        "protocol",
                                        "suspended",
                                        "sandbox_unavailable"};
    for (size_t i = 0; i < COUNT(kinds); i++)
        check((struct program_failure){.kind = kinds[i]}, EXPECT("."));
    check((struct program_failure){.kind = "runtime"}, EXPECT_NONE);
    check((struct program_failure){.kind = "unheard_of"}, EXPECT_NONE);
    check((struct program_failure){0}, EXPECT_NONE);
    check((struct program_failure){.kind = PROGRAM_NO_VALUE}, EXPECT("Nothing was returned"));
}

static void test_languages(void)
{
    check((struct program_failure){.kind = "runtime",
                                   .language = "javascript-es5",
                                   .identifier = "Promise"},
          EXPECT("Promise is newer than javascript-es5"));
    check((struct program_failure){.kind = "runtime",
                                   .language = "javascript",
                                   .identifier = "Promise"},
          EXPECT_NONE);
    check((struct program_failure){.kind = "runtime",
                                   .language = "javascript-es5",
                                   .message = "x.includes is not a function"},
          EXPECT("includes is newer than javascript-es5"));
    static const char text[] = "const x = tools.get_logs();\nreturn x.length.a";
    check((struct program_failure){.kind = "runtime",
                                   .language = "javascript",
                                   .message = "cannot read property 'a' of undefined",
                                   .text = text,
                                   .length = sizeof text - 1},
          EXPECT("tools.get_logs(…) in line 1 is not awaited", "A value is missing"));
    check((struct program_failure){.kind = "runtime",
                                   .language = "javascript-es5",
                                   .message = "cannot read property 'a' of undefined",
                                   .text = text,
                                   .length = sizeof text - 1},
          EXPECT("A value is missing"));
}

static void test_hostile(void)
{
    struct taken taken = {0};
    char huge[5000];
    memset(huge, 'q', sizeof huge);
    strcpy(huge + sizeof huge - 32, " is not defined");
    struct program_name odd[] = {{huge, huge}, {"tools", "a\nb\"c"}, {"", ""}};
    struct program_failure failure = {.kind = huge,
                                      .message = huge,
                                      .identifier = huge,
                                      .object = huge,
                                      .member = huge,
                                      .module = huge,
                                      .value = huge,
                                      .text = huge,
                                      .length = sizeof huge};
    program_suggest(&failure, odd, COUNT(odd), take, &taken);
    taken.count = 0;
    failure = (struct program_failure){.kind = "runtime", .message = huge};
    program_suggest(&failure, odd, COUNT(odd), take, &taken);
    taken.count = 0;
    failure = (struct program_failure){.kind = "runtime", .object = "tools", .member = "aBC"};
    CU_ASSERT_EQUAL(program_suggest(&failure, odd, COUNT(odd), take, &taken), 1);
    CU_ASSERT_STRING_EQUAL(taken.text[0], "Did you mean tools[\"a\\nb\\\"c\"]?");
    taken.count = 0;
    failure = (struct program_failure){.kind = "runtime", .identifier = "fetch"};
    CU_ASSERT_EQUAL(program_suggest(&failure, NULL, 0, take, &taken), 1);
}

void program_suggest_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: suggest", NULL, NULL);
    CU_ADD_TEST(suite, test_nearest);
    CU_ADD_TEST(suite, test_nearest_order);
    CU_ADD_TEST(suite, test_unawaited);
    CU_ADD_TEST(suite, test_names);
    CU_ADD_TEST(suite, test_messages);
    CU_ADD_TEST(suite, test_mistakes);
    CU_ADD_TEST(suite, test_kinds);
    CU_ADD_TEST(suite, test_languages);
    CU_ADD_TEST(suite, test_hostile);
}
