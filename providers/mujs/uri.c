/* uri.c - encodeURI and its relatives, which know UTF-8 only from the outside of a string. */
#include "builtins.h"
#include "text.h"

#include "providers/program/utf8.h"

#include <stdint.h>
#include <string.h>

#define RESERVED  ";/?:@&=+$,#"
#define UNESCAPED "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.!~*'()"

static void encode(js_State *J, const char *kept)
{
    static const char hex[] = "0123456789ABCDEF";
    const char *string = js_tostring(J, 1);
    struct buffer *out = buffer_push(J);

    while (*string != 0) {
        uint32_t c = text_next(&string);
        char utf8[4];
        size_t size;

        if (c != 0 && c < 0x80 && strchr(kept, (int)c) != NULL) {
            buffer_add_char(J, out, (char)c);
            continue;
        }
        if (c >= 0xd800 && c <= 0xdfff)
            js_urierror(J, "malformed URI: an unpaired surrogate");
        size = program_utf8_encode(c, utf8);
        for (size_t i = 0; i < size; i++) {
            const unsigned char byte = (unsigned char)utf8[i];
            const char escape[3] = {'%', hex[byte >> 4], hex[byte & 15]};

            buffer_add(J, out, escape, sizeof escape);
        }
    }
    js_pushlstring(J, out->data != NULL ? out->data : "", out->size);
    buffer_clear(J, out);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The byte that "%XX" stands for, or -1. */
static int escaped_byte(const char *text)
{
    int high, low;

    if (text[0] != '%')
        return -1;
    high = hex_digit(text[1]);
    low = high < 0 ? -1 : hex_digit(text[2]);
    return low < 0 ? -1 : high << 4 | low;
}

static void decode(js_State *J, const char *kept)
{
    const char *text = js_tostring(J, 1);
    struct buffer *out = buffer_push(J);

    while (*text != 0) {
        char utf8[4];
        size_t expected, size = 0;
        uint32_t c;
        int byte;

        if (*text != '%') {
            buffer_add_char(J, out, *text++);
            continue;
        }
        byte = escaped_byte(text);
        if (byte < 0)
            js_urierror(J, "malformed URI: %% is not followed by two hexadecimal digits");
        if (byte > 0 && byte < 0x80 && strchr(kept, byte) != NULL) {
            buffer_add(J, out, text, 3);
            text += 3;
            continue;
        }
        expected = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        while (size < expected && (byte = escaped_byte(text)) >= 0) {
            utf8[size++] = (char)byte;
            text += 3;
        }
        if (program_utf8_decode(utf8, size, &c) != size)
            js_urierror(J, "malformed URI: the escapes are not UTF-8");
        if (c == 0)
            text_add_unit(J, out, 0);
        else
            text_add_utf8(J, out, utf8, size);
    }
    js_pushlstring(J, out->data != NULL ? out->data : "", out->size);
    buffer_clear(J, out);
}

static void encodeURI(js_State *J)
{
    encode(J, UNESCAPED RESERVED);
}

static void encodeURIComponent(js_State *J)
{
    encode(J, UNESCAPED);
}

static void decodeURI(js_State *J)
{
    decode(J, RESERVED);
}

static void decodeURIComponent(js_State *J)
{
    decode(J, "");
}

void uri_install(js_State *J)
{
    js_pushglobal(J);
    builtins_method(J, "encodeURI", encodeURI, 1);
    builtins_method(J, "encodeURIComponent", encodeURIComponent, 1);
    builtins_method(J, "decodeURI", decodeURI, 1);
    builtins_method(J, "decodeURIComponent", decodeURIComponent, 1);
    js_pop(J, 1);
}
