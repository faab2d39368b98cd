/* frame.h - the frames of abi/wire.md, read and written without ever waiting for the other side. */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"
#include "text.h"

struct frame {
    char type;
    const char *text;
    size_t size;
};

/* What has arrived on one channel. Zero it, and set `limit`. It never holds much more than one
 * frame and one read, and grows as bytes arrive, not as a header promises. */
struct frame_reader {
    char *data;
    size_t start, end; /* the part of `data` that was not taken yet */
    size_t capacity;
    size_t limit; /* most bytes of text in a frame */
};

/* Reads once. The number of bytes; 0: the channel has ended; PAWL_E_TIMEOUT: nothing is there now;
 * PAWL_E_MEMORY; PAWL_E_SYSTEM with errno. Frames that were taken before become invalid. */
int32_t frame_read(struct frame_reader *reader, int fd);

/* Adds bytes that were read elsewhere: PAWL_OK or PAWL_E_MEMORY. */
int32_t frame_feed(struct frame_reader *reader, const void *data, size_t size);

/* Takes the next frame: 1, and `frame` is valid until the next read; 0: it is not complete yet;
 * PAWL_E_LIMIT: its header promises more than the limit, now and ever after. */
int32_t frame_take(struct frame_reader *reader, struct frame *frame);

/* Whether bytes wait that are not a whole frame (or were not taken). */
bool frame_is_partial(const struct frame_reader *reader);

void frame_reader_free(struct frame_reader *reader);

/* What is to be sent on one channel. Zero it. */
struct frame_writer {
    struct text queue;
    size_t sent;  /* bytes of the queue that are written */
    size_t begun; /* where the frame that is being made begins */
};

/* Begins a frame; its text is then appended to the queue that is returned. */
struct text *frame_begin(struct frame_writer *writer, char type);

/* Ends it. PAWL_OK; otherwise the frame is dropped and nothing was queued: PAWL_E_MEMORY, or
 * PAWL_E_LIMIT if its text has more than `limit` bytes. */
int32_t frame_end(struct frame_writer *writer, size_t limit);

/* Whether bytes wait to be written. */
bool frame_is_queued(const struct frame_writer *writer);

/* Writes what the channel takes now. PAWL_OK: everything; PAWL_E_TIMEOUT: some is left;
 * PAWL_E_ENDED: nobody reads that channel any more; PAWL_E_SYSTEM with errno. */
int32_t frame_flush(struct frame_writer *writer, int fd);

void frame_writer_free(struct frame_writer *writer);

#endif
