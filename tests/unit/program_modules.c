#include "providers/program/modules.h"

#include <stdio.h>
#include <string.h>

#include "program.h"

static void check(const char *text, const char *form, const char *module, unsigned line,
                  unsigned column)
{
    struct program_module_use use;
    bool found = program_find_module_use(text, strlen(text), &use);
    if (!found || strcmp(use.form, form) != 0 || strcmp(use.module, module) != 0 ||
        use.line != line || use.column != column)
        printf("\n  of: %s\n  found: %s \"%s\" %u:%u\n", text, found ? use.form : "nothing",
               use.module, use.line, use.column);
    CU_ASSERT_TRUE_FATAL(found);
    CU_ASSERT_STRING_EQUAL(use.form, form);
    CU_ASSERT_STRING_EQUAL(use.module, module);
    CU_ASSERT_EQUAL(use.line, line);
    CU_ASSERT_EQUAL(use.column, column);
}

static void check_none(const char *text)
{
    struct program_module_use use;
    bool found = program_find_module_use(text, strlen(text), &use);
    if (found)
        printf("\n  of: %s\n  found: %s %u:%u\n", text, use.form, use.line, use.column);
    CU_ASSERT_FALSE(found);
    CU_ASSERT_PTR_NULL(use.form);
}

static void test_found(void)
{
    check("import fs from 'fs'", "import", "fs", 1, 1);
    check("import 'fs'", "import", "fs", 1, 1);
    check("// c\nimport {\n  a as b,\n} from \"x/y\";", "import", "x/y", 2, 1);
    check("import * as ns from 'x'", "import", "x", 1, 1);
    check("import type {A} from 'x'", "import", "x", 1, 1);
    check("import a = b; f('x')", "import", "", 1, 1);
    check("import.meta.url", "import", "", 1, 1);
    check("const m = await import('fs')", "import()", "fs", 1, 17);
    check("import(name); f('x')", "import()", "", 1, 1);
    check("const fs = require('fs');", "require()", "fs", 1, 12);
    check("const {a} = require(\"node:fs\").b", "require()", "node:fs", 1, 13);
    check("require(x); f('y')", "require()", "", 1, 1);
    check("if (a) { require('b') }", "require()", "b", 1, 10);
    check("export const a = 'b'", "export", "", 1, 1);
    check("a;\n  export {a}", "export", "", 2, 3);
    check("export * from 'x'", "export", "x", 1, 1);
    check("export\ndefault 1", "export", "", 1, 1);
    check("a\nimport b from 'c'", "import", "c", 2, 1);
    check("require('a'); import 'b'", "require()", "a", 1, 1);
    check("import 'b'; function require() {}", "import", "b", 1, 1);
    check("import", "import", "", 1, 1);
    check("import '0123456789012345678901234567890123456789012345678901234567890ä'", "import",
          "0123456789012345678901234567890123456789012345678901234567890ä", 1, 1);
    check("import '01234567890123456789012345678901234567890123456789012345678901ä'", "import",
          "01234567890123456789012345678901234567890123456789012345678901", 1, 1);
}

static void test_not_found(void)
{
    check_none("");
    check_none("x.import('a'); x.require('b'); x.export");
    check_none("y = {import: 1, require: 2, export: 3, require() {}}");
    check_none("'import a from \"b\"' // require('c')");
    check_none("function require(a) { return a } require('x')");
    check_none("require('x'); function require(a) { return a }");
    check_none("const require = tools.require; require('x')");
    check_none("function f(require) { return require('x') }");
    check_none("typeof require === 'function'");
    check_none("class A { import() {} export() {} require() {} }");
}

static void test_message(void)
{
    struct program_module_use use = {.form = "require()", .module = "fs"};
    char message[256];
    program_module_message(&use, message, sizeof message);
    CU_ASSERT_STRING_EQUAL(
        message, "require(): the module \"fs\" cannot be loaded; programs have no modules");
    use = (struct program_module_use){.form = "import"};
    program_module_message(&use, message, sizeof message);
    CU_ASSERT_STRING_EQUAL(message, "import: programs have no modules to load");
    use.form = "export";
    program_module_message(&use, message, sizeof message);
    CU_ASSERT_STRING_EQUAL(message, "export: a program is not a module; return its value instead");
    program_module_message(&use, message, 8);
    CU_ASSERT_STRING_EQUAL(message, "export:");
}

void program_modules_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: modules", NULL, NULL);
    CU_ADD_TEST(suite, test_found);
    CU_ADD_TEST(suite, test_not_found);
    CU_ADD_TEST(suite, test_message);
}
