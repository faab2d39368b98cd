#include "providers/program/await.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static void check(const char *text, size_t count, const char *expected)
{
    char actual[512];
    CU_ASSERT_FATAL(strlen(text) < sizeof actual);
    strcpy(actual, text);
    CU_ASSERT_EQUAL(program_await_erase(actual, strlen(text)), count);
    if (strcmp(actual, expected) != 0)
        printf("\n  of:       %s\n  expected: %s\n  actual:   %s\n", text, expected, actual);
    CU_ASSERT_STRING_EQUAL(actual, expected);
}

static void check_kept(const char *text)
{
    check(text, 0, text);
}

static void test_erased(void)
{
    check("var x = await tools.get();", 1, "var x =       tools.get();");
    check("await f()", 1, "      f()");
    check("return await f()", 1, "return       f()");
    check("f(await a, await b)", 2, "f(      a,       b)");
    check("await (f())", 1, "      (f())");
    check("(await f()).x", 1, "(      f()).x");
    check("[await a]", 1, "[      a]");
    check("x = {a: await b}", 1, "x = {a:       b}");
    check("if (await f()) await g()", 2, "if (      f())       g()");
    check("!await f()", 1, "!      f()");
    check("await\nf()", 1, "     \nf()");
    check("await /* c */ f()", 1, "      /* c */ f()");
    check("await [1]; await {}; await 'a'; await 1; await -1", 5,
          "      [1];       {};       'a';       1;       -1");
    check("await await f()", 2, "            f()");
    check("await /a/", 1, "      /a/");
    check("a\nawait b", 1, "a\n      b");
    check("a + await b", 1, "a +       b");
    check("a ? await b : await c", 2, "a ?       b :       c");
    check("await new X", 1, "      new X");
    check("await function () {}", 1, "      function () {}");
    check("'use strict'; await f()", 1, "'use strict';       f()");
    check("await this.f()", 1, "      this.f()");
    check("switch (await a) { case await b: await c }", 3,
          "switch (      a) { case       b:       c }");
}

static void test_kept(void)
{
    check_kept("");
    check_kept("'await f()'");
    check_kept("\"await f()\"");
    check_kept("// await f()");
    check_kept("/* await f() */");
    check_kept("/await x/.test(y)");
    check_kept("x.await (f)");
    check_kept("x.await");
    check_kept("x = {await: 1}");
    check_kept("x = {get await() { return 1 }}");
    check_kept("`await f()`");
    check_kept("awaits(f)");
    check_kept("$await f");
    check_kept("for await (x of y) z");
    check_kept("await = 1");
    check_kept("await += 1");
    check_kept("await;");
    check_kept("f(await)");
    check_kept("await.x");
    check_kept("await in x");
    check_kept("await ? a : b");
    check_kept("await == 1");
    check_kept("await++");
    check_kept("await: f()");
    check_kept("x = await");
}

static void test_declared(void)
{
    check_kept("var await = f; await (1)");
    check_kept("await (1); var await = f");
    check_kept("function await() {} await (1)");
    check_kept("function f(await) { return await (1) }");
    check_kept("function f(a, await) { return await (1) }");
    check("var a = 'var await'; await f()", 1, "var a = 'var await';       f()");
}

static void test_templates(void)
{
    check("`${await a}`", 1, "`${      a}`");
    check("`await ${x}`", 0, "`await ${x}`");
}

static void test_embedded_text(void)
{
    /* Nothing behind the given length is touched. */
    char text[] = "await f();await g()";
    CU_ASSERT_EQUAL(program_await_erase(text, 10), 1);
    CU_ASSERT_STRING_EQUAL(text, "      f();await g()");
    CU_ASSERT_EQUAL(program_await_erase(text + 10, 5), 0);
}

void program_await_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: await", NULL, NULL);
    CU_ADD_TEST(suite, test_erased);
    CU_ADD_TEST(suite, test_kept);
    CU_ADD_TEST(suite, test_declared);
    CU_ADD_TEST(suite, test_templates);
    CU_ADD_TEST(suite, test_embedded_text);
}
