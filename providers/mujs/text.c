#include "text.h"

#include "providers/program/json_text.h"
#include "providers/program/plain.h"
#include "providers/program/utf8.h"

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

uint32_t text_next(const char **string)
{
    uint32_t c;

    /* A pair of surrogates, the longest character, has six bytes. */
    *string += program_utf8_decode_any(*string, strnlen(*string, 6), &c);
    return c;
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
    buffer_add_char(J, out, '"');
    while (*string != 0) {
        char escape[PROGRAM_JSON_CHARACTER_SIZE];
        size_t plain = 0;

        while (json_is_plain(string[plain]))
            plain++;
        buffer_add(J, out, string, plain);
        string += plain;
        if (*string == 0)
            break;
        buffer_add(J, out, escape, program_json_escape(text_next(&string), escape));
    }
    buffer_add_char(J, out, '"');
}
