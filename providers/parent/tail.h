/* tail.h - the last of what a child wrote to stderr. */
#ifndef PARENT_TAIL_H
#define PARENT_TAIL_H

#include <stddef.h>

#include "providers/wire/text.h"

#define TAIL_SIZE 65536u

/* Zero it. */
struct tail {
    char *ring;   /* made when something arrives */
    size_t total; /* bytes that ever arrived */
};

/* Reads once what is there. The number of bytes; 0: the channel has ended; PAWL_E_TIMEOUT: nothing
 * is there now; another status: an error. What there is no memory for is read and forgotten. */
int32_t tail_read(struct tail *tail, int fd);

/* Appends the tail, without credentials (core/redact.h); a text that was cut begins at a line. */
void tail_print(const struct tail *tail, struct text *into);

void tail_free(struct tail *tail);

#endif
