#include "frame.h"

#include <errno.h>
#include <pawl/wire.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE  16384u
#define KEEP_QUEUE 65536u /* a larger queue is given back when it is empty */

static int32_t make_room(struct frame_reader *reader, size_t more)
{
    if (reader->start > 0) {
        memmove(reader->data, reader->data + reader->start, reader->end - reader->start);
        reader->end -= reader->start;
        reader->start = 0;
    }
    if (reader->capacity - reader->end >= more)
        return PAWL_OK;
    size_t capacity = reader->capacity * 2;
    if (capacity < reader->end + more)
        capacity = reader->end + more;
    char *data = realloc(reader->data, capacity);
    if (data == NULL)
        return PAWL_E_MEMORY;
    reader->data = data;
    reader->capacity = capacity;
    return PAWL_OK;
}

int32_t frame_read(struct frame_reader *reader, int fd)
{
    int32_t status = make_room(reader, READ_SIZE);
    if (status != PAWL_OK)
        return status;
    ssize_t size;
    do
        size = read(fd, reader->data + reader->end, READ_SIZE);
    while (size < 0 && errno == EINTR);
    if (size < 0)
        return errno == EAGAIN ? PAWL_E_TIMEOUT : PAWL_E_SYSTEM;
    reader->end += (size_t)size;
    return (int32_t)size;
}

int32_t frame_feed(struct frame_reader *reader, const void *data, size_t size)
{
    int32_t status = make_room(reader, size);
    if (status != PAWL_OK || size == 0)
        return status;
    memcpy(reader->data + reader->end, data, size);
    reader->end += size;
    return PAWL_OK;
}

int32_t frame_take(struct frame_reader *reader, struct frame *frame)
{
    if (reader->end - reader->start < PAWL_WIRE_HEADER)
        return 0;
    const unsigned char *header = (const unsigned char *)reader->data + reader->start;
    size_t size = (size_t)header[0] | (size_t)header[1] << 8 | (size_t)header[2] << 16 |
                  (size_t)header[3] << 24;
    if (size > reader->limit)
        return PAWL_E_LIMIT;
    if (reader->end - reader->start - PAWL_WIRE_HEADER < size)
        return 0;
    *frame = (struct frame){.type = (char)header[4],
                            .text = reader->data + reader->start + PAWL_WIRE_HEADER,
                            .size = size};
    reader->start += PAWL_WIRE_HEADER + size;
    return 1;
}

bool frame_is_partial(const struct frame_reader *reader)
{
    return reader->end > reader->start;
}

void frame_reader_free(struct frame_reader *reader)
{
    free(reader->data);
    *reader = (struct frame_reader){.limit = reader->limit};
}

struct text *frame_begin(struct frame_writer *writer, char type)
{
    writer->begun = writer->queue.size;
    const char header[PAWL_WIRE_HEADER] = {0, 0, 0, 0, type};
    text_append(&writer->queue, header, sizeof(header));
    return &writer->queue;
}

int32_t frame_end(struct frame_writer *writer, size_t limit)
{
    struct text *queue = &writer->queue;
    int32_t status = queue->failed;
    size_t size = 0;
    if (status == PAWL_OK) {
        size = queue->size - writer->begun - PAWL_WIRE_HEADER;
        if (size > limit || size > UINT32_MAX)
            status = PAWL_E_LIMIT;
    }
    if (status != PAWL_OK) {
        queue->size = writer->begun;
        queue->failed = PAWL_OK;
        return status;
    }
    for (int i = 0; i < 4; i++)
        queue->data[writer->begun + (size_t)i] = (char)(size >> 8 * i & 0xff);
    return PAWL_OK;
}

bool frame_is_queued(const struct frame_writer *writer)
{
    return writer->queue.size > writer->sent;
}

int32_t frame_flush(struct frame_writer *writer, int fd)
{
    struct text *queue = &writer->queue;
    while (writer->sent < queue->size) {
        ssize_t size = write(fd, queue->data + writer->sent, queue->size - writer->sent);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return errno == EAGAIN ? PAWL_E_TIMEOUT : errno == EPIPE ? PAWL_E_ENDED : PAWL_E_SYSTEM;
        writer->sent += (size_t)size;
    }
    writer->sent = 0;
    text_clear(queue);
    if (queue->capacity > KEEP_QUEUE)
        text_free(queue);
    return PAWL_OK;
}

void frame_writer_free(struct frame_writer *writer)
{
    text_free(&writer->queue);
    writer->sent = 0;
}
