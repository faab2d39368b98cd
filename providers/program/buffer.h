/* A byte buffer that grows as it is appended to. A failed append is remembered, so that a writer
 * can append throughout and look once at the end. */
#ifndef PROGRAM_BUFFER_H
#define PROGRAM_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

struct program_buffer {
    char *data; /* from malloc, NULL while nothing was appended; not terminated by zero */
    size_t length, capacity;
    size_t limit;       /* bytes that it may hold; 0: no limit but memory */
    bool is_over;       /* the limit was reached: what did not fit is missing */
    bool has_no_memory; /* an allocation failed: what came since is missing */
};

/* Appends all of it or nothing; nothing once an append has failed. Returns whether it did.
 * A zeroed struct is an empty buffer. [any thread, each buffer on one at a time] */
bool program_buffer_append(struct program_buffer *buffer, const char *data, size_t length);

/* Frees the memory and leaves an empty buffer with the same limit. */
void program_buffer_release(struct program_buffer *buffer);

#endif
