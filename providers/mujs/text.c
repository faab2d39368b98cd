#include "text.h"

#include "providers/program/utf8.h"

#include <stdio.h>
#include <string.h>

#define REPLACEMENT 0xfffdu

static int is_high(uint32_t c)
{
    return c >= 0xd800 && c <= 0xdbff;
}

static int is_low(uint32_t c)
{
    return c >= 0xdc00 && c <= 0xdfff;
}

void text_add_unit(js_State *J, struct buffer *out, unsigned unit)
{
    char *to = buffer_reserve(J, out, 4);

    if (unit == 0) {
        to[0] = (char)0xc0;
        to[1] = (char)0x80;
        out->size += 2;
        return;
    }
    out->size += (int)program_utf8_encode(unit, to);
}

static void add_code_point(js_State *J, struct buffer *out, uint32_t c)
{
    if (c > 0xffff) {
        text_add_unit(J, out, 0xd800 + ((c - 0x10000) >> 10));
        text_add_unit(J, out, 0xdc00 + ((c - 0x10000) & 0x3ff));
    } else {
        text_add_unit(J, out, c);
    }
}

void text_add_utf8(js_State *J, struct buffer *out, const char *utf8, size_t size)
{
    size_t plain = 0; /* the start of what can be copied as it is */

    for (size_t i = 0; i < size;) {
        uint32_t c;
        size_t length;

        if (utf8[i] > 0) {
            i++;
            continue;
        }
        length = program_utf8_decode(utf8 + i, size - i, &c);
        if (length == 2 || length == 3) {
            i += length;
            continue;
        }
        buffer_add(J, out, utf8 + plain, i - plain);
        add_code_point(J, out, length == 0 ? REPLACEMENT : c);
        i += length == 0 ? 1 : length;
        plain = i;
    }
    buffer_add(J, out, utf8 + plain, size - plain);
}

void text_push_utf8(js_State *J, const char *utf8, size_t size)
{
    struct buffer *out = buffer_push(J);

    text_add_utf8(J, out, utf8, size);
    js_pushlstring(J, out->data != NULL ? out->data : "", out->size);
    buffer_clear(J, out);
    js_rot2pop1(J);
}

/* One UTF-16 unit, or a character above U+FFFF, should libmujs have made one. */
static uint32_t next_unit(const char **string)
{
    const unsigned char *s = (const unsigned char *)*string;
    int length = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    uint32_t c = length == 1   ? s[0]
                 : length == 2 ? s[0] & 0x1f
                 : length == 3 ? s[0] & 0x0f
                               : s[0] & 0x07;

    if (s[0] >= 0x80 && s[0] < 0xc0)
        length = 0;
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            length = 0;
            break;
        }
        c = c << 6 | (s[i] & 0x3f);
    }
    if (length == 0) {
        (*string)++;
        return REPLACEMENT;
    }
    *string += length;
    return c;
}

uint32_t text_next(const char **string)
{
    uint32_t c = next_unit(string);

    if (is_high(c) && **string != 0) {
        const char *after = *string;
        uint32_t low = next_unit(&after);

        if (is_low(low)) {
            *string = after;
            return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        }
    }
    return c;
}

static int is_plain(unsigned char c)
{
    return c < 0x80 && c >= 0x20 && c != '"' && c != '\\';
}

/* Appends a character from text_next that no plain byte stands for. */
static void add_decoded(js_State *J, struct buffer *out, uint32_t c)
{
    char *to = buffer_reserve(J, out, 4);

    out->size += (int)program_utf8_encode(c, to);
}

void text_add_string(js_State *J, struct buffer *out, const char *string)
{
    while (*string != 0) {
        size_t plain = 0;
        uint32_t c;

        while ((signed char)string[plain] > 0)
            plain++;
        buffer_add(J, out, string, plain);
        string += plain;
        if (*string == 0)
            break;
        c = text_next(&string);
        add_decoded(J, out, is_high(c) || is_low(c) ? REPLACEMENT : c);
    }
}

void text_add_json(js_State *J, struct buffer *out, const char *string)
{
    static const char shorthand[][2] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                        {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};

    buffer_add_char(J, out, '"');
    while (*string != 0) {
        size_t plain = 0;
        char escape[8] = "";
        uint32_t c;

        while (is_plain((unsigned char)string[plain]))
            plain++;
        buffer_add(J, out, string, plain);
        string += plain;
        if (*string == 0)
            break;
        c = text_next(&string);
        for (size_t i = 0; i < sizeof shorthand / sizeof *shorthand; i++)
            if (c == (unsigned char)shorthand[i][0])
                snprintf(escape, sizeof escape, "\\%c", shorthand[i][1]);
        if (escape[0] == 0 && (c < 0x20 || is_high(c) || is_low(c)))
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)c);
        if (escape[0] != 0)
            buffer_add_text(J, out, escape);
        else
            add_decoded(J, out, c);
    }
    buffer_add_char(J, out, '"');
}
