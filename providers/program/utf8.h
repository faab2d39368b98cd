/* UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef PROGRAM_UTF8_H
#define PROGRAM_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length in bytes (1 to 4) of the character at `text`, of which `available` bytes exist, and
 * the character itself in *code_point. 0 when the bytes are no well-formed character. [any thread]
 */
size_t program_utf8_decode(const char *text, size_t available, uint32_t *code_point);

/* The same for text that an engine holds, which may contain what UTF-8 cannot: surrogates as three
 * bytes each (CESU-8; a pair is one character, a lone one is returned as it is), and U+0000 as two.
 * Never fails: a byte that is none of these is U+FFFD. Returns 0 only when `available` is 0.
 * [any thread] */
size_t program_utf8_decode_any(const char *text, size_t available, uint32_t *code_point);

/* Writes the character at `out`, which holds at least 4 bytes, and returns its length. Surrogates
 * are written as three bytes (CESU); the caller decides whether to let one come here. [any thread]
 */
size_t program_utf8_encode(uint32_t code_point, char *out);

/* How much of the text to keep so that at most `limit` bytes are left and no character is cut in
 * two. [any thread] */
size_t program_utf8_cut(const char *text, size_t length, size_t limit);

/* The offset of the first byte that is not part of well-formed UTF-8, or `length`. [any thread] */
size_t program_utf8_check(const char *text, size_t length);

#endif
