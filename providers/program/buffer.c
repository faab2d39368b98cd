#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct program_buffer *buffer, size_t length)
{
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : 64;
    char *data;
    if (length > SIZE_MAX / 2 - buffer->length)
        return false;
    while (capacity < buffer->length + length)
        capacity *= 2;
    if (capacity == buffer->capacity)
        return true;
    data = realloc(buffer->data, capacity);
    if (data == NULL)
        return false;
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

bool program_buffer_append(struct program_buffer *buffer, const char *data, size_t length)
{
    if (buffer->is_over || buffer->has_no_memory)
        return false;
    if (buffer->limit > 0 && length > buffer->limit - buffer->length) {
        buffer->is_over = true;
        return false;
    }
    if (!reserve(buffer, length)) {
        buffer->has_no_memory = true;
        return false;
    }
    if (length > 0)
        memcpy(buffer->data + buffer->length, data, length);
    buffer->length += length;
    return true;
}

void program_buffer_release(struct program_buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct program_buffer){.limit = buffer->limit};
}
