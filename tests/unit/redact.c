/* The redactor: what goes and what stays. In the tables X marks a credential that must go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/redact.h"
#include "test.h"

static void check(const char *text, const char *expected)
{
    size_t size;
    char *redacted = redact(text, strlen(text), &size);
    if (redacted == NULL)
        abort();
    TEST_TEXT(redacted, expected);
    CU_ASSERT_EQUAL(strlen(redacted), size);
    free(redacted);
}

#define R REDACTED

static void urls(void)
{
    check("GET https://joe:hunter2@example.org/x", "GET https://joe:" R "@example.org/x");
    check("postgres://u:p%40ss:w@db:5432/x", "postgres://u:" R "@db:5432/x");
    check("redis://:s3cret@cache", "redis://:" R "@cache");
    check("https://0123456789abcdef@github.com/x", "https://" R "@github.com/x");
    check("ssh://git@github.com/x and https://example.org/a@b",
          "ssh://git@github.com/x and https://example.org/a@b");
    check("http://a:1/b http://c:d@e", "http://a:1/b http://c:" R "@e");
}

static void headers(void)
{
    check("Authorization: Bearer abc.def-1\nnext", "Authorization: " R "\nnext");
    check("authorization: Basic am9lOmh1bnRlcjI=", "authorization: " R);
    check("{\"Authorization\": \"Token abc\", \"x\": 1}",
          "{\"Authorization\": \"" R "\", \"x\": 1}");
    check("sent Bearer abcdef123456 to it", "sent Bearer " R " to it");
    check("bearer authentication failed", "bearer authentication failed");
    check("Set-Cookie: id=1; Path=/\nok", "Set-Cookie: " R "\nok");
}

static void names(void)
{
    check("password=hunter2 user=joe", "password=" R " user=joe");
    check("DB_PASSWORD_MAIN='a b' x", "DB_PASSWORD_MAIN='" R "' x");
    check("passwd: hunter2", "passwd: " R);
    check("?api_key=abc&x=1", "?api_key=" R "&x=1");
    check("apiKey: abc", "apiKey: " R);
    check("apikey=abc", "apikey=" R);
    check("key=abc", "key=" R);
    check("token=abc;x", "token=" R ";x");
    check("access_token: abc", "access_token: " R);
    check("X-Api-Key: abc", "X-Api-Key: " R);
    check("client-secret = abc", "client-secret = " R);
    check("{\"token\":\"a\\\"b\",\"n\":1}", "{\"token\":\"" R "\\\"b\",\"n\":1}");
    check("{\\\"password\\\":\\\"abc\\\"}", "{\\\"password\\\":\\\"" R "\\\"}");
    check("--password hunter2", "--password hunter2");
}

static void prose_stays(void)
{
    check("SyntaxError: unexpected token: }", "SyntaxError: unexpected token: }");
    check("no such key: host", "no such key: host");
    check("monkey=5 turkey: 7 keyboard=us", "monkey=5 turkey: 7 keyboard=us");
    check("open /etc/passwd: permission denied", "open /etc/passwd: permission denied");
    check("password", "password");
    check("token=", "token=");
    check("", "");
}

static void known_shapes(void)
{
    check("AKIAIOSFODNN7EXAMPLE", R);
    check("AKIA short", "AKIA short");
    check("x ghp_0123456789abcdefghijABCDEFGHIJ012345 y", "x " R " y");
    check("github_pat_11ABCDEFG0123456789_abcdefghijkl", R);
    check("sk-ant-api03-abcdefghijklmnop0123456789", R);
    check("sk-proj-ABCDEFGH12345678", R);
    check("task-list-of-0123456789abcdef", "task-list-of-0123456789abcdef");
    check("sk-some-long-hyphenated-name", "sk-some-long-hyphenated-name");
    check("xoxb-1234567890-abcdef", R);
    check("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl.", "jwt " R ".");
    check("eyJ not one", "eyJ not one");
}

static void pem(void)
{
    check("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nb",
          "a\n-----BEGIN RSA PRIVATE KEY-----" R "-----END RSA PRIVATE KEY-----\nb");
    check("-----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----" R);
    check("IIEabc\nabc\n-----END PRIVATE KEY-----\nb", R "-----END PRIVATE KEY-----\nb");
}

static void any_bytes(void)
{
    static const char text[] = "a\0password=b\0c\xFF";
    static const char expected[] = "a\0password=" R "\0c\xFF";
    size_t size;
    char *redacted = redact(text, sizeof(text), &size);
    if (redacted == NULL)
        abort();
    CU_ASSERT_EQUAL(size, sizeof(expected));
    CU_ASSERT(size == sizeof(expected) && memcmp(redacted, expected, size) == 0);
    free(redacted);
}

/* A text made to be slow: every place begins something. */
static void takes_linear_time(void)
{
    static const char *const pieces[] = {
        "sk-", "://", "-----BEGIN ", "eyJ", "password=", "Bearer a ", "key", "xoxb-", "\"", "\\"};
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        size_t length = strlen(pieces[i]), size = (1u << 20) / length * length, result;
        char *text = malloc(size);
        if (text == NULL)
            abort();
        for (size_t at = 0; at < size; at += length)
            memcpy(text + at, pieces[i], length);
        free(redact(text, size, &result));
        free(text);
    }
}

int main(void)
{
    static CU_TestInfo tests[] = {
        {"URLs with passwords", urls},
        {"headers and bearer tokens", headers},
        {"names and their values", names},
        {"prose stays", prose_stays},
        {"keys with a known shape", known_shapes},
        {"PEM blocks, also cut ones", pem},
        {"NUL and malformed UTF-8", any_bytes},
        {"hostile text takes linear time", takes_linear_time},
        CU_TEST_INFO_NULL,
    };
    return test_suite("redact", tests);
}
