/* plain.h - the bytes that stand for themselves in a JSON string, which are nearly all of them. */
#ifndef PROGRAM_PLAIN_H
#define PROGRAM_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool json_is_plain(char c)
{
    const unsigned char byte = (unsigned char)c;
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* Whether all eight bytes are. Of the bytes that are not, the lowest one shows in its highest bit:
 * by itself, or because more is taken from it than it has. */
static inline bool json_are_plain(const char *text)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t bytes;
    memcpy(&bytes, text, sizeof(bytes));
    const uint64_t quotes = bytes ^ ones * '"', backslashes = bytes ^ ones * '\\';
    return ((bytes | (bytes - ones * 0x20) | (quotes - ones) | (backslashes - ones)) &
            ones * 0x80) == 0;
}

/* How many bytes at the beginning are. */
static inline size_t json_plain(const char *text, size_t size)
{
    size_t at = 0;
    while (size - at >= 8 && json_are_plain(text + at))
        at += 8;
    while (at < size && json_is_plain(text[at]))
        at++;
    return at;
}

#endif
