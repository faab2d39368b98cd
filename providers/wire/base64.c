#include "base64.h"

#include <string.h>

static const char digits[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* So many bytes at once: appending has a cost of its own. */
enum { PIECE = 768 };

void base64_encode(struct text *into, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        char out[PIECE / 3 * 4];
        size_t part = size < PIECE ? size : PIECE, length = 0;
        for (size_t i = 0; i < part; i += 3) {
            size_t left = part - i;
            unsigned group = (unsigned)from[i] << 16 | (left > 1 ? (unsigned)from[i + 1] << 8 : 0) |
                             (left > 2 ? from[i + 2] : 0);
            out[length++] = digits[group >> 18];
            out[length++] = digits[group >> 12 & 63];
            out[length++] = digits[group >> 6 & 63];
            out[length++] = digits[group & 63];
            if (left < 3)
                memset(out + length - (3 - left), '=', 3 - left);
        }
        text_append(into, out, length);
        from += part;
        size -= part;
    }
}

static int value_of(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return digit - 'A';
    if (digit >= 'a' && digit <= 'z')
        return digit - 'a' + 26;
    if (digit >= '0' && digit <= '9')
        return digit - '0' + 52;
    return digit == '+' ? 62 : digit == '/' ? 63 : -1;
}

bool base64_decode(struct text *into, const char *text, size_t size)
{
    if (size % 4 != 0)
        return false;
    size_t padding = 0;
    while (padding < 2 && size > 0 && text[size - 1 - padding] == '=')
        padding++;
    for (size_t i = 0; i < size;) {
        unsigned char out[PIECE];
        size_t length = 0;
        for (; i < size && length < PIECE; i += 4) {
            unsigned group = 0;
            for (size_t j = 0; j < 4; j++) {
                bool padded = i + j >= size - padding;
                int value = padded ? 0 : value_of(text[i + j]);
                if (value < 0)
                    return false;
                group = group << 6 | (unsigned)value;
            }
            size_t kept = i + 4 == size ? 3 - padding : 3;
            if ((kept < 3 && (group & 0xff) != 0) || (kept < 2 && (group & 0xffff) != 0))
                return false; /* not what an encoder writes */
            out[length++] = (unsigned char)(group >> 16);
            if (kept > 1)
                out[length++] = (unsigned char)(group >> 8);
            if (kept > 2)
                out[length++] = (unsigned char)group;
        }
        text_append(into, out, length);
    }
    return into->failed == PAWL_OK;
}
