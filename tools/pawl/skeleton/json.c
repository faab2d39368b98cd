/* Nothing here calls itself: how deep a text is nested is its author's choice, and the C stack is
 * not his to use up. */
#include "json.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int utf8_check(const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + size;
    while (at < end) {
        unsigned char first = *at++;
        int more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        if (more < 0 || first > 0xf4 || end - at < more)
            return 0;
        /* No longer form than needed, no surrogates, nothing above U+10FFFF. */
        if ((first == 0xe0 && *at < 0xa0) || (first == 0xed && *at > 0x9f) ||
            (first == 0xf0 && *at < 0x90) || (first == 0xf4 && *at > 0x8f))
            return 0;
        for (; more > 0; more--)
            if ((*at++ & 0xc0) != 0x80)
                return 0;
    }
    return 1;
}

struct reader {
    const char *at, *end;
};

static int take(struct reader *r, char expected)
{
    if (r->at == r->end || *r->at != expected)
        return 0;
    r->at++;
    return 1;
}

static int take_one_of(struct reader *r, const char *expected)
{
    if (r->at == r->end || *r->at == '\0' || strchr(expected, *r->at) == NULL)
        return 0;
    r->at++;
    return 1;
}

static void skip_space(struct reader *r)
{
    while (take_one_of(r, " \t\r\n"))
        ;
}

static int take_string(struct reader *r)
{
    if (!take(r, '"'))
        return 0;
    while (!take(r, '"')) {
        if (r->at == r->end || (unsigned char)*r->at < ' ')
            return 0;
        if (*r->at++ != '\\')
            continue;
        if (take(r, 'u')) {
            for (int i = 0; i < 4; i++)
                if (!take_one_of(r, "0123456789abcdefABCDEF"))
                    return 0;
        } else if (!take_one_of(r, "\"\\/bfnrt")) {
            return 0;
        }
    }
    return 1;
}

static int take_digits(struct reader *r)
{
    int count = 0;
    while (take_one_of(r, "0123456789"))
        count++;
    return count;
}

static int take_number(struct reader *r)
{
    take(r, '-');
    if (!take(r, '0') && take_digits(r) == 0)
        return 0;
    if (take(r, '.') && take_digits(r) == 0)
        return 0;
    if (!take_one_of(r, "eE"))
        return 1;
    take_one_of(r, "+-");
    return take_digits(r) > 0;
}

static int take_scalar(struct reader *r)
{
    static const char *const words[] = {"true", "false", "null"};
    if (r->at < r->end && *r->at == '"')
        return take_string(r);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(r->end - r->at) >= length && memcmp(r->at, words[i], length) == 0) {
            r->at += length;
            return 1;
        }
    }
    return take_number(r);
}

static int take_key(struct reader *r)
{
    skip_space(r);
    if (!take_string(r))
        return 0;
    skip_space(r);
    return take(r, ':');
}

/* Takes what may stand between a value and the next. 0: that is wrong; *over: it was the last. */
static int take_rest(struct reader *r, const char *open, size_t *depth, int *over)
{
    for (;;) {
        skip_space(r);
        if (*depth == 0) {
            *over = 1;
            return r->at == r->end;
        }
        if (take(r, open[*depth - 1])) {
            --*depth;
            continue;
        }
        return take(r, ',') && (open[*depth - 1] == ']' || take_key(r));
    }
}

int json_check(const char *text, size_t size)
{
    struct reader r = {text, text + size};
    char open[JSON_DEPTH]; /* what closes each list and object that is open */
    size_t depth = 0;
    for (int over = 0; !over;) {
        skip_space(&r);
        if (r.at < r.end && (*r.at == '[' || *r.at == '{')) {
            char close = *r.at++ == '[' ? ']' : '}';
            if (depth == JSON_DEPTH)
                return 0;
            open[depth++] = close;
            skip_space(&r);
            if (r.at == r.end || *r.at != close) {
                if (close == '}' && !take_key(&r))
                    return 0;
                continue;
            }
        } else if (!take_scalar(&r)) {
            return 0;
        }
        if (!take_rest(&r, open, &depth, &over))
            return 0;
    }
    return 1;
}

char *json_quote(const char *text, size_t size, size_t *quoted_size)
{
    char *quoted = size < SIZE_MAX / 6 - 1 ? malloc(6 * size + 3) : NULL, *to = quoted;
    if (quoted == NULL)
        return NULL;
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)text[i] < ' ') {
            to += sprintf(to, "\\u%04x", (unsigned)text[i]);
            continue;
        }
        if (text[i] == '"' || text[i] == '\\')
            *to++ = '\\';
        *to++ = text[i];
    }
    *to++ = '"';
    *to = '\0';
    *quoted_size = (size_t)(to - quoted);
    return quoted;
}
