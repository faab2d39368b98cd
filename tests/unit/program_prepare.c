#include "providers/program/prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static void prepare(const char *source, struct program_text *text)
{
    struct program_error error;
    int status = program_prepare(source, strlen(source), NULL, text, &error);
    if (status != 0)
        printf("\n  of: %s\n  error: %s\n", source, error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    CU_ASSERT_EQUAL(strlen(text->text), text->length);
}

static void check(const char *source, const char *expected, bool calls_result)
{
    struct program_text text;
    prepare(source, &text);
    if (strcmp(text.text, expected) != 0 || text.calls_result != calls_result)
        printf("\n  of:       %s\n  expected: %s\n  actual:   %s (%d)\n", source, expected,
               text.text, text.calls_result);
    CU_ASSERT_STRING_EQUAL(text.text, expected);
    CU_ASSERT_EQUAL(text.calls_result, calls_result);
    program_text_release(&text);
    CU_ASSERT_PTR_NULL(text.text);
}

static void check_error(const char *source, size_t length, const char *message, unsigned line,
                        unsigned column)
{
    struct program_text text;
    struct program_error error;
    CU_ASSERT_EQUAL(program_prepare(source, length, NULL, &text, &error), PROGRAM_E_SYNTAX);
    if (strstr(error.message, message) == NULL)
        printf("\n  of: %s\n  message: %s\n", source, error.message);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, message));
    CU_ASSERT_EQUAL(error.line, line);
    CU_ASSERT_EQUAL(error.column, column);
    CU_ASSERT_PTR_NULL(text.text);
    program_text_release(&text);
}

static void test_plain(void)
{
    check("return 1", "return 1", false);
    check("a\r\nb\rc\n\r\n", "a\nb\nc\n\n", false);
    check("\xEF\xBB\xBFreturn 1;", "return 1;", false);
    check("#!/usr/bin/env node\nreturn 1", "///usr/bin/env node\nreturn 1", false);
    check("\xEF\xBB\xBF#!x\r\nreturn 1", "//x\nreturn 1", false);
    check("return '\xE2\x80\xA8'", "return '\xE2\x80\xA8'", false);
    check("`a\r\nb`", "`a\nb`", false);
}

static void test_empty(void)
{
    static const char *const sources[] = {
        "",    " \n\t",      "// only a comment", "/* a\nb */\n", "\xEF\xBB\xBF",
        "#!x", "```js\n```", "```js\n// a\n```\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct program_text text;
        prepare(sources[i], &text);
        CU_ASSERT_TRUE(text.is_empty);
        CU_ASSERT_FALSE(text.calls_result);
        program_text_release(&text);
    }
    struct program_text text;
    prepare(";", &text);
    CU_ASSERT_FALSE(text.is_empty);
    program_text_release(&text);
    CU_ASSERT_EQUAL(program_prepare(NULL, 0, NULL, &text, &(struct program_error){{0}, 0, 0}), 0);
    program_text_release(&text);
}

static void test_fences(void)
{
    check("```js\nreturn 1\n```", "\nreturn 1\n", false);
    check("```\nreturn 1\n```\n", "\nreturn 1\n", false);
    check("```javascript\r\nreturn 1\r\n```\r\n", "\nreturn 1\n", false);
    check("\n\n  ```JavaScript title=\"x\"\n  return 1\n  ```\nThat is all.", "\n\n\n  return 1\n",
          false);
    check("Here is the program:\n\n```js\nreturn 1\n```\nIt returns 1.\n", "\n\n\nreturn 1\n",
          false);
    check("Here's `code` with it:\n```js\nreturn 1\n```", "\n\nreturn 1\n", false);
    check("Use GET /api/* first\n```js\nreturn 1 /* x */\n```", "\n\nreturn 1 /* x */\n", false);
    check("Use the ` character\n```js\nreturn 1\n```", "\n\nreturn 1\n", false);
    check("Key `:\n```js\nreturn 1\n```", "\n\nreturn 1\n", false);
    check("Cost: 5/* each\n```js\nreturn 1\n```", "\n\nreturn 1\n", false);
    check("1. **First**\n   ```js\n   return 1\n   ```", "\n\n   return 1\n", false);
    check("# Title\n> quote\n```js\nreturn 1\n```", "\n\n\nreturn 1\n", false);
    check("~~~ts\nreturn 1\n~~~", "\nreturn 1\n", false);
    check("````js\nreturn 1\n```\n````", "\nreturn 1\n```\n", false);
    check("```js\nreturn 1", "\nreturn 1", false); /* cut off */
    check("return 1\n```\n", "return 1\n", false); /* the opening fence is missing */
    check("return 1\n```\nIt returns one.", "return 1\n", false);
    check("Here it is:\n```\nreturn 1\n", "\n\nreturn 1\n", false);
    check("Program:\n```js\nreturn 1\n```\n", "\n\nreturn 1\n", false);
    check("Input:\n```json\n{}\n```\nThen:\n```js\nreturn 1\n```\n", "\n\n\n\n\n\nreturn 1\n",
          false);
    check("```\nreturn 1\n```\n```text\nx\n```", "\nreturn 1\n", false);
    check("```js\nreturn 1\n```\n```\n{}\n```", "\nreturn 1\n", false);
    check("```js\nasync () => 1\n```", "\nreturn async () => 1\n", true);
    check("A line\xE2\x80\xA8 more of it\n```js\nreturn 1\n```", "\xE2\x80\xA8\n\nreturn 1\n",
          false);
}

static void test_no_fences(void)
{
    check("/*\n```js\nf()\n```\n*/\nreturn 1", "/*\n```js\nf()\n```\n*/\nreturn 1", false);
    check("const a = `\n\\`\\`\\`js\n`", "const a = `\n\\`\\`\\`js\n`", false);
    check("x = 1 // ```js\nreturn 1", "x = 1 // ```js\nreturn 1", false);
    check("~~~x\nreturn 1", "~~~x\nreturn 1", false);
    check("return '```'", "return '```'", false);
    check("x = 'a\\\n```js'", "x = 'a\\\n```js'", false);
}

static void test_fence_errors(void)
{
    static const char two[] = "a b\n```js\n1\n```\n\n  ```js\n2\n```\n";
    check_error(two, strlen(two), "2 fenced programs", 6, 3);
    static const char python[] = "```python\nprint(1)\n```";
    check_error(python, strlen(python), "\"python\"", 1, 1);
    static const char unmarked[] = "```\n1\n```\n```\n2\n```";
    check_error(unmarked, strlen(unmarked), "2 fenced programs", 4, 1);
}

static void test_export(void)
{
    check("export default 1", "return void 0, 1", true);
    check("export default async function main() { return 1 }",
          "return void 0, async function main() { return 1 }", true);
    check("export default () => 1;", "return void 0, () => 1;", true);
    check("const a = 1;\nexport  default\n{a};\n", "const a = 1;\nreturn  void 0,\n{a};\n", true);
    check("export /* x */ default a", "return /* x */ void 0, a", true);
    check("x = 'export default 1'", "x = 'export default 1'", false);
    check("// export default 1\nreturn 1", "// export default 1\nreturn 1", false);
    check("export\ndefault 1", "export\ndefault 1", false);
    check("export const a = 1", "export const a = 1", false);
    check("x.export; y = {export: 1, default: 2}", "x.export; y = {export: 1, default: 2}", false);
    check("{ export default 1 }", "{ export default 1 }", false);
}

static void test_one_function(void)
{
    static const char *const lone[] = {
        "function main() { return 1 }",
        "async function main() { return 1 }",
        "async function main() { return 1 };\n",
        "function () { return 1 }",
        "async function () { return 1 }",
        "async function main(a, {b} = {}) { if (a) { return b } }\n// the end",
        "() => 1",
        "() => { return 1 }",
        "async () => { return 1 };",
        "async () => ({a: 1})",
        "x => x",
        "async x => x",
        "(a, b = () => 1) => a",
        "() => a\n  .b()",
        "(async () => { return 1 })",
        "(function () { return 1 });",
        "(async () => { return 1 })()",
        "(async () => { return 1 })();",
        "(() => 1)().x",
        "(function () { return 1 }())",
        "(async function main() { return 1 })().catch(console.error)",
        "await (async () => 1)()",
        "async function main(): Promise<void> { return 1 }",
        "async (): Promise<{a: number}> => { return 1 }",
        "(a: number): number => a",
        "function main<T>(a: T): {b: T} { return {b: a} }",
    };
    for (size_t i = 0; i < sizeof lone / sizeof *lone; i++) {
        char expected[256];
        snprintf(expected, sizeof expected, "return %s", lone[i]);
        check(lone[i], expected, true);
    }
    check("// first\n  async () => 1", "// first\n  return async () => 1", true);
    check("'use strict';\nfunction main() {}", "'use strict';\nreturn function main() {}", true);
    check("'use strict'\nfunction main() {}", "'use strict'\nreturn function main() {}", true);
    check("#!x\n() => 1", "//x\nreturn () => 1", true);
}

static void test_not_one_function(void)
{
    static const char *const others[] = {
        "function a() {}\nfunction b() {}",
        "function a() {}\na()",
        "function a() {} /b/.test(c)",
        "async function a() {}; b()",
        "function* a() {}",
        "async function* a() {}",
        "(function* () {})",
        "(async function* () { f(() => 1) })()",
        "return () => 1",
        "() => 1; f()",
        "() => a\nf()",
        "() => {}\nf()",
        "x = () => 1",
        "(1 + 2)",
        "(a, b)",
        "(a)(b)",
        "f(() => 1)",
        "(await f()).x",
        "await f()",
        "await (async () => 1)",
        "class A {}",
        "x",
        "a: () => 1",
        "async",
        "async (a, b)",
        "async\nfunction f() {}",
        "{ () => 1 }",
        "[() => 1]",
        "'use strict'",
        "'a' + (() => 1)()",
        "function f() {",
        "() => {",
        "(async () => {})() }",
        "if (a) () => 1",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check(others[i], others[i], false);
}

static void test_characters(void)
{
    check_error("a\nb\0c", 5, "U+0000", 2, 2);
    check_error("a\nä\xFF", 5, "UTF-8: byte 0xFF at offset 4", 2, 2);
    check_error("\xC0\x80", 2, "UTF-8: byte 0xC0", 1, 1);
    check_error("\xED\xA0\x80", 3, "UTF-8: byte 0xED", 1, 1);
    check_error("\xF0\x9F\x98", 3, "UTF-8: byte 0xF0", 1, 1);
    check_error("\xEF\xBB\xBF\xFF", 4, "UTF-8", 1, 1);
    check_error("\xFF\0", 2, "UTF-8", 1, 1);
    check_error("\0\xFF", 2, "U+0000", 1, 1);
}

static void test_limit(void)
{
    struct program_options options = {.source_max = 4};
    struct program_text text;
    struct program_error error;
    CU_ASSERT_EQUAL(program_prepare("1234", 4, &options, &text, &error), 0);
    program_text_release(&text);
    CU_ASSERT_EQUAL(program_prepare("12345", 5, &options, &text, &error), PROGRAM_E_SYNTAX);
    CU_ASSERT_STRING_EQUAL(error.message, "the program is 5 bytes long; at most 4 are accepted");
    CU_ASSERT_EQUAL(error.line, 0);
    CU_ASSERT_EQUAL(error.column, 0);
    CU_ASSERT_EQUAL(program_prepare("", PROGRAM_SOURCE_MAX + 1, NULL, &text, &error),
                    PROGRAM_E_SYNTAX);
}

static void check_locate(const struct program_text *text, unsigned line, unsigned column,
                         unsigned model_line, unsigned model_column)
{
    uint32_t to_line = 77, to_column = 77;
    bool known = program_text_locate(text, line, column, &to_line, &to_column);
    CU_ASSERT_EQUAL(known, model_line > 0);
    CU_ASSERT_EQUAL(to_line, model_line);
    CU_ASSERT_EQUAL(to_column, model_column);
}

static void test_positions(void)
{
    struct program_options options = {.prefix = "(function(){", .suffix = "\n})"};
    static const char source[] = "  async () => {\n  f()\n}\n";
    struct program_text text;
    struct program_error error;
    CU_ASSERT_EQUAL_FATAL(program_prepare(source, strlen(source), &options, &text, &error), 0);
    CU_ASSERT_STRING_EQUAL(text.text, "(function(){  return async () => {\n  f()\n}\n\n})");
    CU_ASSERT_EQUAL(text.body, 12);
    CU_ASSERT_EQUAL(text.body_length, strlen(source) + 7);
    check_locate(&text, 0, 0, 0, 0);
    check_locate(&text, 1, 1, 0, 0);
    check_locate(&text, 1, 12, 0, 0);
    check_locate(&text, 1, 13, 1, 1);
    check_locate(&text, 1, 15, 1, 3); /* return */
    check_locate(&text, 1, 18, 1, 3);
    check_locate(&text, 1, 22, 1, 3); /* async */
    check_locate(&text, 1, 28, 1, 9);
    check_locate(&text, 1, 0, 1, 0);
    check_locate(&text, 2, 3, 2, 3);
    check_locate(&text, 3, 1, 3, 1);
    check_locate(&text, 5, 1, 3, 2); /* in the suffix: the end of the program */
    check_locate(&text, 99, 0, 3, 0);
    program_text_release(&text);

    options.prefix = "/* one */\nf(";
    CU_ASSERT_EQUAL_FATAL(program_prepare("a\nb", 3, &options, &text, &error), 0);
    check_locate(&text, 1, 5, 0, 0);
    check_locate(&text, 2, 2, 0, 0);
    check_locate(&text, 2, 3, 1, 1);
    check_locate(&text, 3, 1, 2, 1);
    program_text_release(&text);

    prepare("Look here:\n```js\nf()\n```\nmore\n", &text);
    check_locate(&text, 3, 1, 3, 1);
    check_locate(&text, 3, 9, 3, 4);
    check_locate(&text, 4, 1, 3, 4);
    CU_ASSERT_TRUE(text.is_fenced);
    program_text_release(&text);
}

/* A comment at the end cannot swallow the suffix. */
static void test_suffix(void)
{
    struct program_options options = {.suffix = "\n})"};
    struct program_text text;
    struct program_error error;
    CU_ASSERT_EQUAL_FATAL(program_prepare("f() // x", 8, &options, &text, &error), 0);
    CU_ASSERT_STRING_EQUAL(text.text, "f() // x\n})");
    program_text_release(&text);
}

static void test_large(void)
{
    size_t length = (size_t)2 << 20;
    char *source = malloc(length);
    struct program_text text;
    struct program_error error;
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    static const char *const patterns[] = {"a;",  "(",   "```\n",  "`",     "/*",   "/",
                                           "{a:", "'\n", "await ", "~~~\n", "x \n", "\\u{"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t width = strlen(patterns[i]);
        for (size_t j = 0; j < length; j++)
            source[j] = patterns[i][j % width];
        program_prepare(source, length, NULL, &text, &error); /* it ends, and soon */
        program_text_release(&text);
    }
    free(source);
    CU_PASS("large programs");
}

void program_prepare_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: prepare", NULL, NULL);
    CU_ADD_TEST(suite, test_plain);
    CU_ADD_TEST(suite, test_empty);
    CU_ADD_TEST(suite, test_fences);
    CU_ADD_TEST(suite, test_no_fences);
    CU_ADD_TEST(suite, test_fence_errors);
    CU_ADD_TEST(suite, test_export);
    CU_ADD_TEST(suite, test_one_function);
    CU_ADD_TEST(suite, test_not_one_function);
    CU_ADD_TEST(suite, test_characters);
    CU_ADD_TEST(suite, test_limit);
    CU_ADD_TEST(suite, test_positions);
    CU_ADD_TEST(suite, test_suffix);
    CU_ADD_TEST(suite, test_large);
}
