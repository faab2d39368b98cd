#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "providers/program/token.h"

/* The tokens of a text in a short notation: one letter for the type, and the token's text. */
static void list(const char *text, size_t length, char *out, size_t size)
{
    static const char types[] = ".!npdstrm";
    struct program_tokenizer *tokenizer = malloc(sizeof *tokenizer);
    struct program_token token;
    size_t used = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(tokenizer);
    program_tokenizer_start(tokenizer, text, length);
    *out = 0;
    for (;;) {
        program_tokenizer_next(tokenizer, &token);
        if (token.type == PROGRAM_TOKEN_END)
            break;
        used += (size_t)snprintf(out + used, size - used, "%s%c%s%.*s", used > 0 ? " " : "",
                                 types[token.type], token.property_name ? "." : "",
                                 (int)(token.end - token.start), text + token.start);
        CU_ASSERT_FATAL(used < size);
    }
    free(tokenizer);
}

static void check(const char *text, const char *expected)
{
    char actual[4096];
    list(text, strlen(text), actual, sizeof actual);
    if (strcmp(actual, expected) != 0)
        printf("\n  of:       %s\n  expected: %s\n  actual:   %s\n", text, expected, actual);
    CU_ASSERT_STRING_EQUAL(actual, expected);
}

/* Every `/` that begins a token: 'r' for a regular expression, '/' for a division. */
static void check_slashes(const char *text, const char *expected)
{
    struct program_tokenizer tokenizer;
    struct program_token token;
    char actual[64];
    size_t used = 0;
    program_tokenizer_start(&tokenizer, text, strlen(text));
    for (;;) {
        program_tokenizer_next(&tokenizer, &token);
        if (token.type == PROGRAM_TOKEN_END || used == sizeof actual - 1)
            break;
        if (text[token.start] == '/')
            actual[used++] = token.type == PROGRAM_TOKEN_REGEXP  ? 'r'
                             : token.type == PROGRAM_TOKEN_ERROR ? '!'
                                                                 : '/';
    }
    actual[used] = 0;
    if (strcmp(actual, expected) != 0)
        printf("\n  of:       %s\n  expected: %s\n  actual:   %s\n", text, expected, actual);
    CU_ASSERT_STRING_EQUAL(actual, expected);
}

static void test_kinds(void)
{
    check("", "");
    check("x", "nx");
    check("var $a_1 = ünïcode", "nvar n$a_1 m= nünïcode");
    check("\\u0061b \\u{61}c", "n\\u0061b n\\u{61}c");
    check("class { #p = 1 }", "nclass m{ p.#p m= d1 m}");
    check("0 1.5 .5 5. 0x1F 0b01 0o17 017 1e5 1e+5 1E-5 1_000 10n 0xfn",
          "d0 d1.5 d.5 d5. d0x1F d0b01 d0o17 d017 d1e5 d1e+5 d1E-5 d1_000 d10n d0xfn");
    check("1..toString() 1.e", "d1. m. n.toString m( m) d1.e");
    check("a-1 a - -1 1-1", "na m- d1 na m- m- d1 d1 m- d1");
    check("\"a\\\"b\" 'it\\'s' '' '\\\\'", "s\"a\\\"b\" s'it\\'s' s'' s'\\\\'");
    check("'a\\\nb'", "s'a\\\nb'");
    check("a>>>=b>>>c>>=d**=e**f?\?=g??h?.i", "na m>>>= nb m>>> nc m>>= nd m**= ne m** nf m?\?= ng "
                                              "m?? nh m?. n.i");
    check("a?.5:b", "na m? d.5 m: nb");
    check("[...a]", "m[ m... na m]");
    check("a=>b", "na m=> nb");
    check("@dec", "m@ ndec");
}

static void test_comments(void)
{
    check("// a 'b\nx // c", "nx");
    check("/* a\n' */ x /**/ y", "nx ny");
    check("#!/usr/bin/env node\nx", "nx");
    check(" #!x", "!# m! nx");
    check("a /* / */ / b", "na m/ nb");
    check("x // a\xE2\x80\xA8y", "nx ny");
    check("x // a\ry", "nx ny");
}

static void test_templates(void)
{
    check("`a`", "t`a`");
    check("`a${b}c${d}e`", "t`a${ nb t}c${ nd t}e`");
    check("`${`${`x`}`}`", "t`${ t`${ t`x` t}` t}`");
    check("`${ {a: {b: 1}}.a }`", "t`${ m{ n.a m: m{ n.b m: d1 m} m} m. n.a t}`");
    check("`\\`\\${a}$b{c}`", "t`\\`\\${a}$b{c}`");
    check("f`a`.b", "nf t`a` m. n.b");
    check("`${function () { return /}/ }}`", "t`${ nfunction m( m) m{ nreturn r/}/ m} t}`");
    check("`a\n${b}\n`/c", "t`a\n${ nb t}\n` m/ nc");
}

static void test_division(void)
{
    check_slashes("a / b / c", "//");
    check_slashes("/a/ / /b/", "r/r");
    check_slashes("(a) / b", "/");
    check_slashes("if (a) /b/.test(c)", "r");
    check_slashes("while (a) /b/.test(c)", "r");
    check_slashes("f(a) / b", "/");
    check_slashes("x.if(a) / b / c", "//");
    check_slashes("a[0] / b", "/");
    check_slashes("return /a/", "r");
    check_slashes("x.return / a / b", "//");
    check_slashes("typeof /a/", "r");
    check_slashes("a in /b/", "r");
    check_slashes("case /a/: x", "r");
    check_slashes("a++ / b", "/");
    check_slashes("a = b\n++/c/.d", "r");
    check_slashes("{} /a/", "r");
    check_slashes("x = {} / a", "/");
    check_slashes("x = {a: 1} / b", "/");
    check_slashes("function f() {} /a/", "r");
    check_slashes("x = function () {} / a", "/");
    check_slashes("class A {} /a/", "r");
    check_slashes("x = class {} / a", "/");
    check_slashes("x = class A extends B {} / a", "/");
    check_slashes("class A extends (class {}) {} /a/", "r");
    check_slashes("class A extends class {} {} /a/", "r");
    check_slashes("x => {} \n /a/", "//"); /* a syntax error that engines see as a division, too */
    check_slashes("x => /a/", "r");
    check_slashes("x ? /a/ : /b/", "rr");
    check_slashes("x = a ? {b: 1} / 2 : {} / 3", "//");
    check_slashes("a: {} /b/", "r");
    check_slashes("switch (a) { case 1: {} /b/; default: /c/ }", "rr");
    check_slashes("for (const a of /b/) ;", "r");
    check_slashes("of / a / b", "//");
    check_slashes("await /a/", "r");
    check_slashes("await / 2", "!");
    check_slashes("var await = 4; await / 2 / 1", "//");
    check_slashes("let / a / b", "//");
    check_slashes("this / a", "/");
    check_slashes("'a' / b", "/");
    check_slashes("`a` / b", "/");
    check_slashes("`${a}` / b", "/");
    check_slashes("1 / 2", "/");
    check_slashes("/[/]/ / a", "r/");
    check_slashes("/\\// / a", "r/");
    check_slashes("do /a/.test(b); while (c) /d/", "rr");
    check_slashes("x = {get a() {} , b() { return /c/ }} / d", "r/");
    check_slashes("class A { a() {} b = /c/; static { /d/ } }", "rr");
    check_slashes("class A { x = 1 / 2\n y = /z/ }", "/r");
    check_slashes("return\n/a/", "r");
    check_slashes("export default /a/", "r");
    check_slashes("x!/ 2", "/");
    check_slashes("try {} catch {} /a/", "r");
    check_slashes("try {} catch (e) {} finally {} /a/", "r");
    check_slashes("yield / a / b", "r");
    check_slashes("a /= b / c", "//");
}

static void test_property_names(void)
{
    check("x.await", "nx m. n.await");
    check("x?.await", "nx m?. n.await");
    check("x . /* c */ await", "nx m. n.await");
    check("f({await: 1})", "nf m( m{ n.await m: d1 m} m)");
    check("x = {'a': 1, 2: 3}", "nx m= m{ s.'a' m: d1 m, d.2 m: d3 m}");
    check("x = {await}", "nx m= m{ nawait m}");
    check("x = {await() {}}", "nx m= m{ n.await m( m) m{ m} m}");
    check("x = {get await() {}, set: 1, get: 2, async}",
          "nx m= m{ nget n.await m( m) m{ m} m, n.set m: d1 m, n.get m: d2 m, nasync m}");
    check("x = {get() {}, async *a() {}, async b() {}}",
          "nx m= m{ n.get m( m) m{ m} m, nasync m* n.a m( m) m{ m} m, nasync n.b m( m) m{ m} m}");
    check("x = {[await]: 1}", "nx m= m{ m[ nawait m] m: d1 m}");
    check("class A { await() {} static await = 1; get await() {} if\n for }",
          "nclass nA m{ n.await m( m) m{ m} nstatic n.await m= d1 m; nget n.await m( m) m{ m} n.if "
          "n.for m}");
    check("if (a) { await: for (;;) ; }", "nif m( na m) m{ nawait m: nfor m( m; m; m) m; m}");
    check("x = {...a, b}", "nx m= m{ m... na m, nb m}");
    check("const {a: b, c = d} = e", "nconst m{ n.a m: nb m, nc m= nd m} m= ne");
    check("return {a: 1}", "nreturn m{ n.a m: d1 m}");
    check("return\n{a: 1}", "nreturn m{ na m: d1 m}");
    check("a\n{b: c}", "na m{ nb m: nc m}");
    check("x => ({a: 1})", "nx m=> m( m{ n.a m: d1 m} m)");
    check("x => {a: 1}", "nx m=> m{ na m: d1 m}");
    check("[{a: 1}]", "m[ m{ n.a m: d1 m} m]");
    check("x ? {a: 1} : {b: 2}", "nx m? m{ n.a m: d1 m} m: m{ n.b m: d2 m}");
}

/* The line, column and position of each occurrence of `@@` as tokens that follow it see them. */
static void check_place(const char *text, const char *token_text, unsigned line, unsigned column)
{
    struct program_tokenizer tokenizer;
    struct program_token token;
    uint32_t at_line, at_column;
    program_tokenizer_start(&tokenizer, text, strlen(text));
    do
        program_tokenizer_next(&tokenizer, &token);
    while (token.type != PROGRAM_TOKEN_END && !program_token_is(&tokenizer, &token, token_text));
    CU_ASSERT_NOT_EQUAL(token.type, PROGRAM_TOKEN_END);
    CU_ASSERT_EQUAL(token.line, line);
    CU_ASSERT_EQUAL(token.column, column);
    program_place_at(text, strlen(text), token.start, &at_line, &at_column);
    CU_ASSERT_EQUAL(at_line, line);
    CU_ASSERT_EQUAL(at_column, column);
}

static void test_places(void)
{
    check_place("x", "x", 1, 1);
    check_place("  \tx", "x", 1, 4);
    check_place("a\n  x", "x", 2, 3);
    check_place("a\r\nb\rc x", "x", 3, 3);
    check_place("a\xE2\x80\xA8 b\xE2\x80\xA9x", "x", 3, 1);
    check_place("/* ä\n\n */ x", "x", 3, 5);
    check_place("`a\n${b}\nä` + x", "x", 3, 6);
    check_place("'a\\\n' + x", "x", 2, 5);
    check_place("'äöü' + x", "x", 1, 9);
    check_place("'\xF0\x9F\x98\x80' + x", "x", 1, 7); /* one code point above U+FFFF */
    check_place("'open\nx", "x", 2, 1);
    check_place("#!hash\nx", "x", 2, 1);
    check_place("\xEF\xBB\xBFx", "x", 1, 2); /* U+FEFF is white space */
}

static void test_errors(void)
{
    check("'a", "!'a");
    check("'a\nb", "!'a nb");
    check("'a\\", "!'a\\");
    check("`a", "!`a");
    check("`a${b", "t`a${ nb");
    check("`a${b}c", "t`a${ nb !}c");
    check("a /* b", "na !/* b");
    check("x = /a\nb", "nx m= !/a nb");
    check("x = /[/]\nb", "nx m= !/[/] nb");
    check("\\x", "!\\ nx");
    check("\\u{12", "!\\ nu m{ d12");
    check("#", "!#");
    check("#1", "!# d1");
    check("a \xE2\x80\x9C b", "na !\xE2\x80\x9C nb");
    check("a \xFF\xC0 b", "na !\xFF !\xC0 nb");
    check("a \x01 b", "na !\x01 nb");
    check("a → b", "na !→ nb");
    check("3px", "d3px");
}

static void test_unmatched(void)
{
    static const char text[] = "f(a}) ]";
    struct program_tokenizer tokenizer;
    struct program_token token;
    char unmatched[8];
    size_t used = 0;
    program_tokenizer_start(&tokenizer, text, strlen(text));
    do {
        program_tokenizer_next(&tokenizer, &token);
        if (token.unmatched)
            unmatched[used++] = text[token.start];
    } while (token.type != PROGRAM_TOKEN_END);
    unmatched[used] = 0;
    CU_ASSERT_STRING_EQUAL(unmatched, "}]");
}

static void test_zero_bytes(void)
{
    char actual[64];
    list("a\0b", 3, actual, sizeof actual);
    CU_ASSERT_STRING_EQUAL(actual, "na ! nb");
}

/* Nesting beyond the limit, and back. */
static void test_depth(void)
{
    enum { DEPTH = 3 * PROGRAM_DEPTH_MAX };
    static const char pairs[][3] = {"()", "[]", "{}"};
    char *text = malloc(2 * DEPTH + 8);
    struct program_tokenizer *tokenizer = malloc(sizeof *tokenizer);
    struct program_token token;
    CU_ASSERT_FATAL(text != NULL && tokenizer != NULL);
    for (size_t i = 0; i < 3; i++) {
        memset(text, pairs[i][0], DEPTH);
        memset(text + DEPTH, pairs[i][1], DEPTH);
        strcpy(text + 2 * DEPTH, "+x");
        program_tokenizer_start(tokenizer, text, strlen(text));
        size_t count = 0;
        do {
            program_tokenizer_next(tokenizer, &token);
            CU_ASSERT_FALSE(token.unmatched);
            count++;
        } while (token.type != PROGRAM_TOKEN_END);
        CU_ASSERT_EQUAL(count, 2 * DEPTH + 3);
        CU_ASSERT_EQUAL(tokenizer->depth, 0);
        CU_ASSERT_EQUAL(tokenizer->too_deep, 0);
    }
    free(tokenizer);
    free(text);
}

/* Tokens never overlap, always advance, and end within the text, whatever the bytes. */
static void test_random_bytes(void)
{
    static const char alphabet[] =
        "a1 \n'\"`/\\*{}()[];:,.?!=+-<>#$_uge\xE2\x80\xA8\xFF\0@awaitclass";
    struct program_tokenizer *tokenizer = malloc(sizeof *tokenizer);
    unsigned state = 12345;
    char text[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(tokenizer);
    for (int round = 0; round < 100000; round++) {
        struct program_token token;
        size_t offset = 0, length = (size_t)round % sizeof text;
        bool sound = true;
        for (size_t i = 0; i < length; i++) {
            state = state * 1103515245 + 12345;
            text[i] = alphabet[(state >> 16) % (sizeof alphabet - 1)];
        }
        program_tokenizer_start(tokenizer, text, length);
        for (;;) {
            program_tokenizer_next(tokenizer, &token);
            sound = sound && token.start >= offset && token.end <= length;
            if (token.type == PROGRAM_TOKEN_END)
                break;
            sound = sound && token.end > token.start;
            sound = sound && (token.type == PROGRAM_TOKEN_ERROR) == (token.problem != NULL);
            offset = token.end;
            if (!sound)
                break;
        }
        if (!sound)
            CU_FAIL("tokens out of order");
    }
    free(tokenizer);
}

void program_token_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: token", NULL, NULL);
    CU_ADD_TEST(suite, test_kinds);
    CU_ADD_TEST(suite, test_comments);
    CU_ADD_TEST(suite, test_templates);
    CU_ADD_TEST(suite, test_division);
    CU_ADD_TEST(suite, test_property_names);
    CU_ADD_TEST(suite, test_places);
    CU_ADD_TEST(suite, test_errors);
    CU_ADD_TEST(suite, test_unmatched);
    CU_ADD_TEST(suite, test_zero_bytes);
    CU_ADD_TEST(suite, test_depth);
    CU_ADD_TEST(suite, test_random_bytes);
}
