/* buffer.h - text that grows, with a limit, and remembers when it could not. */
#ifndef PAWL_CORE_BUFFER_H
#define PAWL_CORE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include <pawl/common.h>

/* Zero it to begin. After a failed append the content is what it was and `failed` stays set, so
 * that a writer of many pieces checks once at the end. */
struct buffer {
    char *data; /* ends in NUL once something was appended */
    size_t size;
    size_t capacity;
    size_t limit; /* most bytes it may hold; 0: no limit */
    int failed;   /* PAWL_E_MEMORY or PAWL_E_LIMIT after a failed append */
};

void buffer_append(struct buffer *buffer, const char *text, size_t size);
void buffer_string(struct buffer *buffer, const char *text);
void buffer_format(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends text as a JSON string, with its quotes. */
void buffer_json_string(struct buffer *buffer, const char *text, size_t size);

/* Frees the content and begins again, with the same limit. */
void buffer_clear(struct buffer *buffer);

/* Gives the text to the caller (to be freed) and begins again; "" when empty; NULL when an append
 * failed. */
char *buffer_take(struct buffer *buffer);

/* A sink that appends to the buffer, and cuts what goes over the limit; valid as long as the
 * buffer. */
struct pawl_sink buffer_sink(struct buffer *buffer);

#define BUFFER_CLEANUP __attribute__((cleanup(buffer_clear)))

#endif
