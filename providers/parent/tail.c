#include "tail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/redact.h"

static void keep(struct tail *tail, const char *data, size_t size)
{
    if (tail->ring == NULL)
        tail->ring = malloc(TAIL_SIZE);
    if (tail->ring == NULL)
        return;
    while (size > 0) {
        size_t at = tail->total % TAIL_SIZE;
        size_t part = TAIL_SIZE - at < size ? TAIL_SIZE - at : size;
        memcpy(tail->ring + at, data, part);
        tail->total += part;
        data += part;
        size -= part;
    }
}

int32_t tail_read(struct tail *tail, int fd)
{
    char buffer[4096];
    ssize_t size;
    do
        size = read(fd, buffer, sizeof(buffer));
    while (size < 0 && errno == EINTR);
    if (size < 0)
        return errno == EAGAIN ? PAWL_E_TIMEOUT : PAWL_E_SYSTEM;
    keep(tail, buffer, (size_t)size);
    return (int32_t)size;
}

void tail_print(const struct tail *tail, struct text *into)
{
    if (tail->ring == NULL)
        return;
    struct text plain TEXT_CLEANUP = {0};
    size_t at = tail->total % TAIL_SIZE;
    if (tail->total > TAIL_SIZE)
        text_append(&plain, tail->ring + at, TAIL_SIZE - at);
    text_append(&plain, tail->ring, tail->total == TAIL_SIZE ? TAIL_SIZE : at);
    const char *from = text_get(&plain);
    if (from == NULL) {
        into->failed = PAWL_E_MEMORY;
        return;
    }
    /* The first line may be the rest of one whose beginning would have shown a credential. */
    const char *line = tail->total > TAIL_SIZE ? memchr(from, '\n', plain.size) : NULL;
    size_t skipped = tail->total <= TAIL_SIZE ? 0
                     : line == NULL           ? plain.size
                                              : (size_t)(line + 1 - from);
    size_t size;
    char *redacted = redact(from + skipped, plain.size - skipped, &size);
    if (redacted == NULL)
        into->failed = PAWL_E_MEMORY;
    else
        text_append(into, redacted, size);
    free(redacted);
}

void tail_free(struct tail *tail)
{
    free(tail->ring);
    *tail = (struct tail){0};
}
