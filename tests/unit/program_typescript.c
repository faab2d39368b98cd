#include "providers/program/typescript.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

typedef bool finder(const char *, size_t, struct program_typescript *);

static void check(finder *find, const char *text, const char *construct, const char *name,
                  unsigned line, unsigned column)
{
    struct program_typescript found;
    bool is_found = find(text, strlen(text), &found);
    if (!is_found || strcmp(found.construct, construct) != 0 || strcmp(found.name, name) != 0 ||
        found.line != line || found.column != column)
        printf("\n  of: %s\n  found: %s %s %u:%u\n", text, is_found ? found.construct : "nothing",
               found.name, found.line, found.column);
    CU_ASSERT_TRUE_FATAL(is_found);
    CU_ASSERT_STRING_EQUAL(found.construct, construct);
    CU_ASSERT_STRING_EQUAL(found.name, name);
    CU_ASSERT_EQUAL(found.line, line);
    CU_ASSERT_EQUAL(found.column, column);
}

static void check_none(finder *find, const char *text)
{
    struct program_typescript found;
    bool is_found = find(text, strlen(text), &found);
    if (is_found)
        printf("\n  of: %s\n  found: %s %u:%u\n", text, found.construct, found.line, found.column);
    CU_ASSERT_FALSE(is_found);
    CU_ASSERT_PTR_NULL(found.construct);
}

static void test_unsupported(void)
{
    finder *find = program_find_unsupported_typescript;
    check(find, "enum Color { Red }", "enum", "Color", 1, 1);
    check(find, "x;\n  const enum Color { Red }", "enum", "Color", 2, 3);
    check(find, "export enum Color { Red }", "enum", "Color", 1, 8);
    check(find, "namespace A { export const b = 1 }", "namespace", "A", 1, 1);
    check(find, "namespace A.B {}", "namespace", "A", 1, 1);
    check(find, "module A {}", "namespace", "A", 1, 1);
    check(find, "class A { constructor(private x: number) {} }", "parameter property", "x", 1, 23);
    check(find, "class A { constructor(a, public readonly b) {} }", "parameter property", "b", 1,
          26);
    check(find, "@dec class A {}", "decorator", "dec", 1, 1);
    check(find, "import a = require('b')", "import assignment", "a", 1, 1);
    check(find, "export = a", "export assignment", "", 1, 1);
    check_none(find, "declare enum Color { Red }");
    check_none(find, "declare const enum Color { Red }");
    check_none(find, "declare namespace A {}");
    check_none(find, "interface A { b: number } type C = A; let d: C = {b: 1} as C");
    check_none(find, "var namespace = 1; namespace = 2; module.exports = 3; x.enum; y = {enum: 1}");
    check_none(find, "namespace\nfoo");
    check_none(find, "function f(private_, readonly) { return readonly }");
    check_none(find, "'enum A {}' // enum B {}");
    check_none(find, "class A { private x = 1; readonly y: number }");
}

static void test_any(void)
{
    finder *find = program_find_typescript;
    check(find, "enum Color { Red }", "enum", "Color", 1, 1);
    check(find, "let a: number = 1", "type annotation", "", 1, 6);
    check(find, "for (const a: number of b) ;", "type annotation", "", 1, 13);
    check(find, "function f(a: number) {}", "type annotation", "", 1, 13);
    check(find, "function f(a, b?: number) {}", "type annotation", "", 1, 17);
    check(find, "function f(...a: number[]) {}", "type annotation", "", 1, 16);
    check(find, "function f(): void {}", "type annotation", "", 1, 13);
    check(find, "x = (a: number) => a", "type annotation", "", 1, 7);
    check(find, "x = async (a: number) => a", "type annotation", "", 1, 13);
    check(find, "x = (a?: number) => a", "type annotation", "", 1, 8);
    check(find, "class A { x: number }", "type annotation", "", 1, 12);
    check(find, "class A { f(): void {} }", "type annotation", "", 1, 14);
    check(find, "interface A { b: number }", "type declaration", "", 1, 1);
    check(find, "type A = number", "type declaration", "", 1, 1);
    check(find, "export type A = number", "type declaration", "", 1, 8);
    check(find, "declare const a", "type declaration", "", 1, 1);
    check(find, "abstract class A {}", "type declaration", "", 1, 1);
    check(find, "import type {A} from 'x'", "type import", "", 1, 8);
    check(find, "x = y as A", "type assertion", "", 1, 7);
    check(find, "x = {a: b as C}", "type assertion", "", 1, 11);
    check(find, "x = [] as const", "type assertion", "", 1, 8);
    check(find, "x = {} satisfies A", "type assertion", "", 1, 8);
    check(find, "x = y!.z", "non-null assertion", "", 1, 6);
    check(find, "class A { private x = 1 }", "access modifier", "", 1, 11);
    check(find, "function f<T>(a) {}", "type parameter", "", 1, 11);
    check(find, "class A<T> {}", "type parameter", "", 1, 8);
    check(find, "class A implements B {}", "implements", "", 1, 9);
    check(find, "x = new Map<string, number>()", "type arguments", "", 1, 12);
    check(find, "x = f<A | B[]>(1)", "type arguments", "", 1, 6);
}

static void test_none(void)
{
    finder *find = program_find_typescript;
    check_none(find, "");
    check_none(find, "x = a ? b : c; y = a ? (b) : (c); z = a ? f(b) : c");
    check_none(find, "x = {a: 1, b(c) { return c }, get d() { return 1 }}");
    check_none(find, "f({a: b}, c ? d : e)");
    check_none(find, "switch (a) { case b: case (c): d; default: e }");
    check_none(find, "label: for (;;) ;");
    check_none(find, "import {a as b} from 'c'; import * as d from 'e'; export {f as g}");
    check_none(find, "import type from 'c'");
    check_none(find, "var as = 1; as = 2; x = as + 1; function as(a) { return as }");
    check_none(find, "var type = 1, interface_ = 2; type = 3; x.type; type\nfoo");
    check_none(find, "a < b; a<b; a<b>c; x = a<b && c>(d)");
    check_none(find, "a != b; !a; a\n!b");
    check_none(find, "class A { x = 1; static y; get z() {} async w() {} #p = 1; private = 1 }");
    check_none(find, "const {a: b, c: {d}} = e; const [f] = g");
    check_none(find, "function f({a: b}, [c], d = {e: 1}) {}");
    check_none(find, "x = (a, b) => ({a: b})");
    check_none(find, "'let a: number' // let b: number\n/x: y/; `a as ${b}`");
}

static void test_message(void)
{
    struct program_typescript found = {.construct = "enum", .name = "Color"};
    char message[256];
    program_typescript_message(&found, message, sizeof message);
    CU_ASSERT_STRING_EQUAL(message, "TypeScript's enum Color cannot be removed as types can; write "
                                    "a const object, such as const Color = {Red: \"red\"}");
    found = (struct program_typescript){.construct = "export assignment"};
    program_typescript_message(&found, message, sizeof message);
    CU_ASSERT_STRING_EQUAL(message, "TypeScript's export assignment cannot be removed as types "
                                    "can; return the value instead");
}

void program_typescript_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: typescript", NULL, NULL);
    CU_ADD_TEST(suite, test_unsupported);
    CU_ADD_TEST(suite, test_any);
    CU_ADD_TEST(suite, test_none);
    CU_ADD_TEST(suite, test_message);
}
