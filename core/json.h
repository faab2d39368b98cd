/* json.h - checking the JSON texts that cross. Values cross as text and are never made into a tree,
 * so that -0, long numbers and unpaired surrogates arrive as they were sent, at any depth. */
#ifndef PAWL_CORE_JSON_H
#define PAWL_CORE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buffer.h"

#define JSON_MAX_DEPTH 10000
#define JSON_MAX_BYTES (256u << 20)

/* Whether the text is one JSON value (RFC 8259, UTF-8, no deeper than JSON_MAX_DEPTH, no larger
 * than JSON_MAX_BYTES). If not, `why` (which may be NULL) says what is wrong at which byte. */
bool json_is_valid(const char *text, size_t size, struct buffer *why);

/* The first character of the value of a checked text: '{', '[', '"', 't', … */
char json_first(const char *text, size_t size);

/* The bytes of a text as a JSON string, quotes included, as buffer_json_string writes it. */
size_t json_string_size(const char *text, size_t size);

#endif
