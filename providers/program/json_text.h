/* JSON text (RFC 8259): writing its strings, and checking all of it. */
#ifndef PROGRAM_JSON_TEXT_H
#define PROGRAM_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

/* Writes one string with its quotes, exactly as JSON.stringify does: `"`, `\` and control
 * characters are escaped, a surrogate without its other half is written as `\ud800`, everything
 * else, U+2028 and U+2029 included, stands for itself. Returns whether it was written; nothing of
 * it is if not. [any thread, each buffer on one at a time] */

/* From UTF-8, where surrogates and U+0000 may stand as program_utf8_decode_any reads them. */
bool program_json_put_string(struct program_buffer *buffer, const char *text, size_t length);
/* From UTF-16; `length` counts units. */
bool program_json_put_utf16(struct program_buffer *buffer, const uint16_t *units, size_t length);

/* The text of one character inside a JSON string; a surrogate is taken for a lone one. */
#define PROGRAM_JSON_CHARACTER_SIZE 8
size_t program_json_escape(uint32_t code_point, char out[PROGRAM_JSON_CHARACTER_SIZE]);

/* The deepest nesting that can be asked for. */
#define PROGRAM_JSON_DEPTH_MAX 65536

struct program_json_report {
    const char *reason;   /* NULL: it is JSON. Else what is wrong, in words; static storage */
    size_t offset;        /* of the first byte that is wrong; the length if the text ends early */
    size_t start, length; /* where the value stands between the white space; valid JSON only */
    unsigned depth;       /* the deepest nesting; [] is 1, a number 0 */
};

/* Whether the text is exactly one JSON value between white space: UTF-8 is checked, no byte order
 * mark, no control character in a string, no comment, no trailing comma. Escapes of unpaired
 * surrogates, duplicate keys, `-0` and numbers of any size are allowed. `depth_max` is at most
 * PROGRAM_JSON_DEPTH_MAX: 0 allows no array or object, 1 no nested one. Linear time, no recursion,
 * no allocation; about 8 KiB of stack. `report` may be NULL. [any thread] */
bool program_json_check(const char *text, size_t length, unsigned depth_max,
                        struct program_json_report *report);

#endif
