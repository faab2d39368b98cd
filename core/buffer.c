#include "core/buffer.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `size` more bytes and the NUL. */
static bool reserve(struct buffer *buffer, size_t size)
{
    if (buffer->failed != PAWL_OK)
        return false;
    if (size > SIZE_MAX / 4 - buffer->size ||
        (buffer->limit != 0 && buffer->size + size > buffer->limit)) {
        buffer->failed = PAWL_E_LIMIT;
        return false;
    }
    size_t needed = buffer->size + size + 1;
    if (needed <= buffer->capacity)
        return true;
    size_t capacity = buffer->capacity < 64 ? 64 : buffer->capacity;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        buffer->failed = PAWL_E_MEMORY;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void buffer_append(struct buffer *buffer, const char *text, size_t size)
{
    if (!reserve(buffer, size))
        return;
    if (size > 0)
        memcpy(buffer->data + buffer->size, text, size);
    buffer->size += size;
    buffer->data[buffer->size] = '\0';
}

void buffer_string(struct buffer *buffer, const char *text)
{
    buffer_append(buffer, text, strlen(text));
}

void buffer_format(struct buffer *buffer, const char *format, ...)
{
    char small[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(small, sizeof(small), format, arguments);
    va_end(arguments);
    if (size < 0) {
        buffer->failed = PAWL_E_MEMORY;
        return;
    }
    if ((size_t)size < sizeof(small)) {
        buffer_append(buffer, small, (size_t)size);
        return;
    }
    if (!reserve(buffer, (size_t)size))
        return;
    va_start(arguments, format);
    vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, arguments);
    va_end(arguments);
    buffer->size += (size_t)size;
}

void buffer_clear(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){.limit = buffer->limit};
}

char *buffer_take(struct buffer *buffer)
{
    if (buffer->data == NULL)
        buffer_append(buffer, "", 0);
    char *text = buffer->data;
    if (buffer->failed != PAWL_OK) {
        free(text);
        text = NULL;
    }
    *buffer = (struct buffer){.limit = buffer->limit};
    return text;
}

/* What a sink gets is often an explanation: of one that is too long the beginning is worth having.
 */
static void sink_write(void *context, const char *text, size_t size)
{
    struct buffer *buffer = context;
    size_t room = buffer->limit != 0 ? buffer->limit - buffer->size : SIZE_MAX;
    if (size <= room || buffer->failed != PAWL_OK) {
        buffer_append(buffer, text, size);
        return;
    }
    while (room > 0 && ((unsigned char)text[room] & 0xC0) == 0x80)
        room--;
    buffer_append(buffer, text, room);
    if (buffer->failed == PAWL_OK)
        buffer->failed = PAWL_E_LIMIT;
}

struct pawl_sink buffer_sink(struct buffer *buffer)
{
    struct pawl_sink sink = {.context = buffer, .write = sink_write};
    sink.header = (struct pawl_header)PAWL_HEADER(SINK, sink);
    return sink;
}
