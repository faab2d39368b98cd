#include "utf8.h"

#include <string.h>

static int is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

size_t program_utf8_decode(const char *text, size_t available, uint32_t *code_point)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (available == 0)
        return 0;
    if (byte[0] < 0x80) {
        *code_point = byte[0];
        return 1;
    }
    /* The second byte's range excludes overlong forms, surrogates and what is above U+10FFFF. */
    if (byte[0] >= 0xC2 && byte[0] <= 0xDF) {
        if (available < 2 || !is_continuation(byte[1]))
            return 0;
        *code_point = (byte[0] & 0x1Fu) << 6 | (byte[1] & 0x3Fu);
        return 2;
    }
    if (byte[0] >= 0xE0 && byte[0] <= 0xEF) {
        if (available < 3 || !is_continuation(byte[1]) || !is_continuation(byte[2]))
            return 0;
        if ((byte[0] == 0xE0 && byte[1] < 0xA0) || (byte[0] == 0xED && byte[1] > 0x9F))
            return 0;
        *code_point = (byte[0] & 0x0Fu) << 12 | (byte[1] & 0x3Fu) << 6 | (byte[2] & 0x3Fu);
        return 3;
    }
    if (byte[0] >= 0xF0 && byte[0] <= 0xF4) {
        if (available < 4 || !is_continuation(byte[1]) || !is_continuation(byte[2]) ||
            !is_continuation(byte[3]))
            return 0;
        if ((byte[0] == 0xF0 && byte[1] < 0x90) || (byte[0] == 0xF4 && byte[1] > 0x8F))
            return 0;
        *code_point = (byte[0] & 0x07u) << 18 | (byte[1] & 0x3Fu) << 12 | (byte[2] & 0x3Fu) << 6 |
                      (byte[3] & 0x3Fu);
        return 4;
    }
    return 0;
}

/* The surrogate that three bytes encode, or 0. */
static uint32_t decode_surrogate(const char *text, size_t available)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (available < 3 || byte[0] != 0xED || byte[1] < 0xA0 || byte[1] > 0xBF ||
        !is_continuation(byte[2]))
        return 0;
    return 0xD000u | (byte[1] & 0x3Fu) << 6 | (byte[2] & 0x3Fu);
}

size_t program_utf8_decode_any(const char *text, size_t available, uint32_t *code_point)
{
    size_t width = program_utf8_decode(text, available, code_point);
    uint32_t high, low;
    if (width > 0 || available == 0)
        return width;
    if (available >= 2 && memcmp(text, "\xC0\x80", 2) == 0) {
        *code_point = 0;
        return 2;
    }
    high = decode_surrogate(text, available);
    if (high == 0) {
        *code_point = 0xFFFD;
        return 1;
    }
    low = decode_surrogate(text + 3, available - 3);
    if (high < 0xDC00 && low >= 0xDC00) {
        *code_point = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        return 6;
    }
    *code_point = high;
    return 3;
}

size_t program_utf8_encode(uint32_t code_point, char *out)
{
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        out[0] = (char)(0xC0 | code_point >> 6);
        out[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        out[0] = (char)(0xE0 | code_point >> 12);
        out[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code_point & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code_point >> 18);
    out[1] = (char)(0x80 | (code_point >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code_point >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code_point & 0x3F));
    return 4;
}

size_t program_utf8_cut(const char *text, size_t length, size_t limit)
{
    if (length <= limit)
        return length;
    while (limit > 0 && is_continuation((unsigned char)text[limit]))
        limit--;
    return limit;
}

size_t program_utf8_check(const char *text, size_t length)
{
    size_t offset = 0;
    while (offset < length) {
        uint32_t code_point;
        size_t width = program_utf8_decode(text + offset, length - offset, &code_point);
        if (width == 0)
            return offset;
        offset += width;
    }
    return length;
}
