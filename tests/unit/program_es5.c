#include "providers/program/es5.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

static void check(const char *text, const char *construct, unsigned line, unsigned column)
{
    struct program_newer newer;
    bool found = program_find_newer(text, strlen(text), &newer);
    if (!found || strncmp(newer.construct, construct, strlen(construct)) != 0 ||
        newer.line != line || newer.column != column)
        printf("\n  of: %s\n  found: %s %u:%u\n", text, found ? newer.construct : "nothing",
               newer.line, newer.column);
    CU_ASSERT_TRUE_FATAL(found);
    CU_ASSERT_EQUAL(strncmp(newer.construct, construct, strlen(construct)), 0);
    CU_ASSERT_EQUAL(newer.line, line);
    CU_ASSERT_EQUAL(newer.column, column);
}

static void check_none(const char *text)
{
    struct program_newer newer;
    bool found = program_find_newer(text, strlen(text), &newer);
    if (found)
        printf("\n  of: %s\n  found: %s %u:%u\n", text, newer.construct, newer.line, newer.column);
    CU_ASSERT_FALSE(found);
    CU_ASSERT_PTR_NULL(newer.construct);
}

static void test_newer(void)
{
    check("var a;\nvar f = x => x", "arrow functions", 2, 11);
    check("f(() => 1)", "arrow functions", 1, 6);
    check("let a = 1", "let declarations", 1, 1);
    check("for (let i = 0;;) ;", "let declarations", 1, 6);
    check("let [a] = b", "let declarations", 1, 1);
    check("x;\n  const a = 1", "const declarations", 2, 3);
    check("x = `a`", "template literals", 1, 5);
    check("class A {}", "classes", 1, 1);
    check("x = class {}", "classes", 1, 5);
    check("var {a} = b", "destructuring", 1, 5);
    check("var [a] = b", "destructuring", 1, 5);
    check("[a, b] = [b, a]", "destructuring", 1, 8);
    check("({a: b} = c)", "destructuring", 1, 9);
    check("function f({a: b}) {}", "destructuring", 1, 12);
    check("function f(a, [b]) {}", "destructuring", 1, 15);
    check("f(...a)", "spread and rest", 1, 3);
    check("[...a]", "spread and rest", 1, 2);
    check("function f(...a) {}", "spread and rest", 1, 12);
    check("a?.b", "optional chaining", 1, 2);
    check("a ?? b", "the operator ??", 1, 3);
    check("a ?\?= b", "logical assignment", 1, 3);
    check("a ||= b", "logical assignment", 1, 3);
    check("async function f() {}", "async functions", 1, 1);
    check("x = async function f() {}", "async functions", 1, 5);
    check("x = async y => y", "async functions", 1, 5);
    check("x = {async f() {}}", "async functions", 1, 6);
    check("for (x of y) ;", "for…of loops", 1, 8);
    check("for (var x of y) ;", "for…of loops", 1, 12);
    check("for await (x of y) ;", "for await loops", 1, 5);
    check("function f(a = 1) {}", "default parameters", 1, 14);
    check("a ** b", "the operator **", 1, 3);
    check("f(a,)", "trailing commas", 1, 4);
    check("function f(a,) {}", "trailing commas", 1, 13);
    check("x = {a}", "shorthand properties", 1, 6);
    check("x = {a: 1, b, c: 2}", "shorthand properties", 1, 12);
    check("x = {a() {}}", "methods in object literals", 1, 6);
    check("x = {get() {}}", "methods in object literals", 1, 6);
    check("x = {'a'() {}}", "methods in object literals", 1, 6);
    check("x = {[a]: 1}", "computed property names", 1, 6);
    check("x = 1_000", "separators in numbers", 1, 5);
    check("x = 10n", "BigInt literals", 1, 5);
    check("x = 0b1", "binary and octal literals", 1, 5);
    check("x = 0o7", "binary and octal literals", 1, 5);
    check("/a/s", "regular expression flags", 1, 1);
    check("x = /a/gu", "regular expression flags", 1, 5);
    check("/(?<=a)b/", "lookbehind", 1, 1);
    check("/(?<!a)b/", "lookbehind", 1, 1);
    check("/(?<year>a)/", "named groups", 1, 1);
    check("function* f() {}", "generator functions", 1, 9);
    check("x = {*f() {}}", "generator functions", 1, 6);
    check("try {} catch {}", "catch without a variable", 1, 14);
    check("function f() { return new.target }", "new.target", 1, 26);
    check("'\\u{1F600}'", "escapes of the form", 1, 1);
    check("import x from 'y'", "modules (import)", 1, 1);
    check("export var x = 1", "modules (export)", 1, 1);
    check("x = `a${b => c}`", "template literals", 1, 5);
}

static void test_not_newer(void)
{
    check_none("");
    check_none("// () => {}\n/* let a = `b` */");
    check_none("'() => {}' + \"let a\"");
    check_none("/=>[`(?<a>)]/.test(a)");
    check_none("/\\(?<=a/");
    check_none("var let = 1; let = 2; let.x; let(3); let + 1");
    check_none("var of = 1, async = 2, yield = 3; async(of); yield = of / async");
    check_none("for (var of in x) ;");
    check_none("for (of in x) ;");
    check_none("x = {get a() { return 1 }, set a(b) {}, get: 1, set: 2, class: 3, let: 4, of: 5}");
    check_none("x.class.const.let.async.import.export");
    check_none("x = [1, 2,]; y = {a: 1,}; z = [,]");
    check_none("await f(); var a = await g(b)");
    check_none("a ? b : c; a?.5:b");
    check_none("x = a * b; x = a && b || c");
    check_none("x[0] = 1; f()[a] = 2; ({a: 1}).a = 2");
    check_none("if (a) { b = 1 } [c].forEach(d)");
    check_none("for (a = 0, b = [1]; ; ) ;");
    check_none("function f(a, b) { return a, b }");
    check_none("a: for (;;) { break a }");
    check_none("switch (a) { case 'x': b = {c: 1}; default: d }");
    check_none("try { a } catch (e) { b } finally { c }");
    check_none("x = function f() { return this }; new x; new x.y(1)");
    check_none("x = 0x1F + 017 + 1e5 + .5 + 5.");
    check_none("x = '\\\\u{61}'");
    check_none("async\nfunction f() {}");
    check_none("return /a/gim");
}

static void test_place_counts_code_points(void)
{
    check("var ä = 'ö'; x = `a`", "template literals", 1, 18);
}

static void test_message(void)
{
    struct program_newer newer = {.construct = "arrow functions"};
    char message[128];
    program_newer_message(&newer, message, sizeof message);
    CU_ASSERT_STRING_EQUAL(message, "arrow functions: this syntax is newer than javascript-es5");
}

void program_es5_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: es5", NULL, NULL);
    CU_ADD_TEST(suite, test_newer);
    CU_ADD_TEST(suite, test_not_newer);
    CU_ADD_TEST(suite, test_place_counts_code_points);
    CU_ADD_TEST(suite, test_message);
}
