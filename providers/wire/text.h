/* text.h - bytes that are put together, with a limit; a failure sticks until the end. */
#ifndef WIRE_TEXT_H
#define WIRE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <pawl/common.h>

/* Zero it to begin. After a failed append the content is what it was and `failed` stays set, so
 * that a writer of many pieces checks once, at the end. */
struct text {
    char *data;
    size_t size;
    size_t capacity;
    size_t limit; /* most bytes it may hold; 0: no limit */
    int failed;   /* PAWL_E_MEMORY or PAWL_E_LIMIT */
};

#define TEXT_CLEANUP __attribute__((cleanup(text_free)))

void text_append(struct text *text, const void *data, size_t size);
static inline void text_string(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* In decimal digits; several times as fast as text_format, for what every call sends. */
void text_unsigned(struct text *text, uint64_t number);

/* Appends arbitrary bytes as a JSON string, with its quotes. A byte that is not part of well-formed
 * UTF-8 becomes the unpaired surrogate U+DCNN, so that nothing is lost. */
void text_json_string(struct text *text, const char *data, size_t size);

/* Ends the text in NUL (which `size` does not count) and returns it; "" when empty; NULL when an
 * append failed. It stays the text's own. */
const char *text_get(struct text *text);

/* Empties it and forgets a failure; keeps the memory. */
void text_clear(struct text *text);
void text_free(struct text *text);

/* A sink that appends; valid as long as the text. */
struct pawl_sink text_sink(struct text *text);

/* The length (1 to 4) of the well-formed UTF-8 character at `data`, of which `available` bytes
 * exist; 0 if there is none. */
size_t text_utf8(const char *data, size_t available);

#endif
