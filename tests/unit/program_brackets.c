#include "providers/program/brackets.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

static void check_valid(const char *text)
{
    struct program_error error;
    bool valid = program_check_brackets(text, strlen(text), &error);
    if (!valid)
        printf("\n  of: %s\n  %s\n", text, error.message);
    CU_ASSERT_TRUE(valid);
}

static void check_invalid(const char *text, const char *message, unsigned line, unsigned column)
{
    struct program_error error;
    bool valid = program_check_brackets(text, strlen(text), &error);
    CU_ASSERT_FALSE(valid);
    if (strcmp(error.message, message) != 0 || error.line != line || error.column != column)
        printf("\n  of: %s\n  %s %u:%u\n", text, error.message, error.line, error.column);
    CU_ASSERT_STRING_EQUAL(error.message, message);
    CU_ASSERT_EQUAL(error.line, line);
    CU_ASSERT_EQUAL(error.column, column);
}

static void test_valid(void)
{
    check_valid("");
    check_valid("f(a[0], {b: `${c}}`})");
    check_valid("'(' + \"{\" + /[(]\\(/ + `[` // )\n/* } */");
    check_valid("if (a) { b } else { c(() => { d }) }");
}

static void test_invalid(void)
{
    check_invalid("}", "this } closes nothing", 1, 1);
    check_invalid("return 1 }); evil(); (function () {", "this } closes nothing", 1, 10);
    check_invalid("f(a))", "this ) closes nothing", 1, 5);
    check_invalid("f(a]\n)", "this ] closes nothing", 1, 4);
    check_invalid("f(\n  {)", "this ) closes nothing", 2, 4);
    check_invalid("f(", "this ( is never closed", 1, 2);
    check_invalid("a\n  [1, 2", "this [ is never closed", 2, 3);
    check_invalid("if (a) {\n  f(() => {\n  })\n", "this { is never closed", 1, 8);
    check_invalid("function f() {\n  if (a) {\n    b()\n  }\n", "this { is never closed", 1, 14);
    check_invalid("x = `a${b", "this template has a ${ that is never closed", 1, 5);
    check_invalid("x = `a${b`", "this template literal is not closed", 1, 10);
    check_invalid("x = 'a\n'", "this string is not closed", 1, 5);
    check_invalid("x = 1 /* }", "this comment is not closed", 1, 7);
    check_invalid("f(\xE2\x80\x9C)", "a typographic quote; write ' or \"", 1, 3);
}

static void test_depth(void)
{
    static char text[20000];
    struct program_error error;
    memset(text, '(', sizeof text / 2);
    memset(text + sizeof text / 2, ')', sizeof text / 2);
    CU_ASSERT_FALSE(program_check_brackets(text, sizeof text, &error));
    CU_ASSERT_STRING_EQUAL(error.message, "the brackets are nested too deeply");
}

void program_brackets_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: brackets", NULL, NULL);
    CU_ADD_TEST(suite, test_valid);
    CU_ADD_TEST(suite, test_invalid);
    CU_ADD_TEST(suite, test_depth);
}
