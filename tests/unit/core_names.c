/* Which names bindings may have, and how positional arguments become named ones. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "core/signature.h"
#include "tests/unit/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void globals_are_plain_and_not_reserved(void)
{
    const char *const good[] = {"tools", "_", "a1", "Tools", "fs", "async_", "__x", "printf"};
    const char *const bad[] = {"",      "1a",    "a-b",       "a b",   "größe",   "a$",
                               "await", "class", "lambda",    "None",  "console", "discover",
                               "__x__", "____",  "arguments", "yield", "let",     "eval"};
    for (size_t i = 0; i < COUNT(good); i++)
        CU_ASSERT_EQUAL(name_check_global("namespace", good[i], NULL), PAWL_OK);
    for (size_t i = 0; i < COUNT(bad); i++)
        CU_ASSERT_EQUAL(name_check_global("namespace", bad[i], NULL), PAWL_E_NAME);
}

static void members_are_not_of_every_error(void)
{
    const char *const good[] = {"toolName", "tool", "name_", "member"};
    const char *const bad[] = {"name",     "message", "stack",     "args",      "with_traceback",
                               "add_note", "code",    "__cause__", "tool-name", ""};
    for (size_t i = 0; i < COUNT(good); i++)
        CU_ASSERT_EQUAL(name_check_member(good[i], NULL), PAWL_OK);
    for (size_t i = 0; i < COUNT(bad); i++)
        CU_ASSERT_EQUAL(name_check_member(bad[i], NULL), PAWL_E_NAME);
}

static void functions_have_any_name(void)
{
    const char *const good[] = {"get_logs", "get-logs", "__proto__", "constructor", "a b", "größe"};
    for (size_t i = 0; i < COUNT(good); i++)
        CU_ASSERT_EQUAL(name_check_function(good[i], NULL), PAWL_OK);
    CU_ASSERT_EQUAL(name_check_function("", NULL), PAWL_E_NAME);
    CU_ASSERT_EQUAL(name_check_function("a\xFF", NULL), PAWL_E_NAME);
    char longest[NAME_MAX_BYTES + 2];
    memset(longest, 'x', sizeof(longest));
    longest[NAME_MAX_BYTES] = '\0';
    CU_ASSERT_EQUAL(name_check_function(longest, NULL), PAWL_OK);
    longest[NAME_MAX_BYTES] = 'x';
    longest[NAME_MAX_BYTES + 1] = '\0';
    CU_ASSERT_EQUAL(name_check_function(longest, NULL), PAWL_E_NAME);
}

static void names_are_cleaned(void)
{
    static const struct {
        const char *name;
        const char *alias;
    } cases[] = {
        {"get_logs", NULL},  {"get-logs", "get_logs"}, {"a.b/c", "a_b_c"},
        {"2nd", "_2nd"},     {"a b", "a_b"},           {"---", NULL},
        {"$x", NULL},        {"größe", NULL},          {"grö-ße", "gr___e"},
        {"__proto__", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *alias = NULL;
        CU_ASSERT_EQUAL(name_clean(cases[i].name, &alias), PAWL_OK);
        if (cases[i].alias == NULL) {
            CU_ASSERT_PTR_NULL(alias);
        } else {
            TEST_TEXT(alias, cases[i].alias);
        }
        free(alias);
    }
}

static void signatures_are_parsed(void)
{
    static const struct {
        const char *name;
        const char *text;
        size_t count;
        size_t required;
    } cases[] = {
        {"f", "f()", 0, 0},
        {"f", "  f ( a , b ? ) ", 2, 1},
        {"get_logs", "get_logs(host, count?)", 2, 1},
        {"get-logs", "get-logs(host)", 1, 1},
        {"get-logs", "get_logs(host)", 1, 1},
        {"f(x", "f(x(a)", 1, 1},
        {"f", "f(a?, b?)", 2, 0},
        {"f", "f($, _)", 2, 2},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct signature signature;
        CU_ASSERT_EQUAL_FATAL(signature_parse(cases[i].text, cases[i].name, &signature, NULL),
                              PAWL_OK);
        CU_ASSERT_EQUAL(signature.count, cases[i].count);
        CU_ASSERT_EQUAL(signature.required, cases[i].required);
        signature_clear(&signature);
    }
}

static void malformed_signatures_name_the_place(void)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"", "must begin with the function's name, 'f'"},
        {"g(a)", "must begin with the function's name, 'f'"},
        {"f", "column 2: '(' is expected"},
        {"f(", "column 3: the name of a parameter or ')'"},
        {"f(a", "column 4: ',' or ')' is expected"},
        {"f(a b)", "column 5: ',' or ')' is expected"},
        {"f(a,)", "column 5: a parameter is expected"},
        {"f(,a)", "column 3: the name of a parameter"},
        {"f(1a)", "column 3: the name of a parameter"},
        {"f(a, a)", "column 6: this parameter is there already"},
        {"f(a?, b)", "column 7: a required parameter cannot follow"},
        {"f(a) -> b", "column 6: nothing can follow"},
        {"f(a: string)", "column 4: ',' or ')' is expected"},
        {"f(a?\?)", "column 5: ',' or ')' is expected"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct signature signature;
        pawl_error *error = NULL;
        CU_ASSERT_EQUAL(signature_parse(cases[i].text, "f", &signature, &error), PAWL_E_SIGNATURE);
        CU_ASSERT_PTR_NOT_NULL_FATAL(error);
        if (strstr(pawl_error_message(error), cases[i].says) == NULL) {
            TEST_TEXT(pawl_error_message(error), cases[i].says);
        }
        pawl_error_free(error);
    }
}

static void too_many_parameters_are_refused(void)
{
    struct buffer text BUFFER_CLEANUP = {0};
    buffer_string(&text, "f(p0");
    for (int i = 1; i < SIGNATURE_MAX_PARAMETERS; i++)
        buffer_format(&text, ",p%d", i);
    size_t most = text.size;
    buffer_string(&text, ")");
    struct signature signature;
    CU_ASSERT_EQUAL(signature_parse(text.data, "f", &signature, NULL), PAWL_OK);
    signature_clear(&signature);
    text.size = most;
    buffer_string(&text, ",more)");
    CU_ASSERT_EQUAL(signature_parse(text.data, "f", &signature, NULL), PAWL_E_SIGNATURE);
}

static void arguments_are_bound(void)
{
    static const struct {
        const char *signature; /* NULL: none */
        const char *arguments;
        const char *bound; /* NULL: refused */
        const char *why;
    } cases[] = {
        {NULL, "[]", "{}", NULL},
        {NULL, "[{\"a\":1}]", "{\"a\":1}", NULL},
        {NULL, "[ \"x\" ]", "\"x\"", NULL},
        {NULL, "[1,2]", NULL, "this function takes one argument, an object"},
        {"f(host, count?)", "[\"a\"]", "{\"host\":\"a\"}", NULL},
        {"f(host, count?)", "[\"a\",5]", "{\"host\":\"a\",\"count\":5}", NULL},
        {"f(host, count?)", " [ \"a,]\\\"\" , [1,{\"b\":[2]}] ] ",
         "{\"host\":\"a,]\\\"\",\"count\":[1,{\"b\":[2]}]}", NULL},
        {"f(host, count?)", "[{\"host\":\"a\"}]", "{\"host\":\"a\"}", NULL},
        {"f(host, count?)", "[{\"count\":1,\"host\":\"a\"}]", "{\"count\":1,\"host\":\"a\"}", NULL},
        {"f(host, count?)", "[{\"count\":1}]", NULL,
         "the argument 'host' is missing: call it as f(host, count?)"},
        {"f(host, count?)", "[{\"host\":1,\"other\":2}]", "{\"host\":{\"host\":1,\"other\":2}}",
         NULL},
        {"f(host, count?)", "[{}]", "{\"host\":{}}", NULL},
        {"f(host?)", "[{}]", "{}", NULL},
        {"f()", "[{}]", "{}", NULL},
        {"f()", "[]", "{}", NULL},
        {"f()", "[1]", NULL, "too many arguments (1): call it as f()"},
        {"f(host, count?)", "[]", NULL,
         "the argument 'host' is missing: call it as f(host, count?)"},
        {"f(host, count?)", "[1,2,3]", NULL, "too many arguments (3): call it as f(host, count?)"},
        {"f(a, b)", "[[],{}]", "{\"a\":[],\"b\":{}}", NULL},
        {"f(a, b)", "[true,null]", "{\"a\":true,\"b\":null}", NULL},
        {"f(a, b)", "[-0,1e400]", "{\"a\":-0,\"b\":1e400}", NULL},
        {"f(a)", "[[\"]\",\"}\",\"\\\\\"]]", "{\"a\":[\"]\",\"}\",\"\\\\\"]}", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct signature signature = {0};
        const char *text = cases[i].signature;
        if (text != NULL) {
            CU_ASSERT_EQUAL_FATAL(signature_parse(text, "f", &signature, NULL), PAWL_OK);
        }
        struct buffer out BUFFER_CLEANUP = {0};
        struct buffer why BUFFER_CLEANUP = {0};
        int status = signature_bind(text != NULL ? &signature : NULL, text, cases[i].arguments,
                                    strlen(cases[i].arguments), &out, &why);
        CU_ASSERT_EQUAL(status, cases[i].bound != NULL ? PAWL_OK : PAWL_E_ARGUMENT);
        if (cases[i].bound != NULL) {
            TEST_TEXT(out.data, cases[i].bound);
        } else {
            TEST_TEXT(why.data, cases[i].why);
        }
        signature_clear(&signature);
    }
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"globals are plain and not reserved", globals_are_plain_and_not_reserved},
        {"members are not of every error", members_are_not_of_every_error},
        {"functions have any name", functions_have_any_name},
        {"names are cleaned", names_are_cleaned},
        {"signatures are parsed", signatures_are_parsed},
        {"malformed signatures name the place", malformed_signatures_name_the_place},
        {"too many parameters are refused", too_many_parameters_are_refused},
        {"arguments are bound", arguments_are_bound},
        CU_TEST_INFO_NULL,
    };
    return test_suite("names", tests);
}
