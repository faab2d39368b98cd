#include "buffer.h"
#include "vm.h"

#include <limits.h>
#include <string.h>

static void finalize(js_State *J, void *data)
{
    struct buffer *buffer = data;

    js_free(J, buffer->data);
    js_free(J, buffer);
}

struct buffer *buffer_push(js_State *J)
{
    struct buffer *buffer = js_malloc(J, sizeof *buffer);

    *buffer = (struct buffer){0};
    js_pushnull(J);
    js_newuserdata(J, "buffer", buffer, finalize);
    return buffer;
}

char *buffer_reserve(js_State *J, struct buffer *buffer, size_t extra)
{
    size_t needed = (size_t)buffer->size + extra, room = (size_t)buffer->room;

    if (needed > room) {
        room = room < 64 ? 64 : room + room / 2;
        if (room < needed)
            room = needed;
        if (room > INT_MAX)
            vm_leave(vm_of(J), VM_MEMORY);
        buffer->data = js_realloc(J, buffer->data, (int)room);
        buffer->room = (int)room;
    }
    return buffer->data + buffer->size;
}

void buffer_add(js_State *J, struct buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    memcpy(buffer_reserve(J, buffer, size), bytes, size);
    buffer->size += (int)size;
}

void buffer_add_text(js_State *J, struct buffer *buffer, const char *text)
{
    buffer_add(J, buffer, text, strlen(text));
}

void buffer_add_char(js_State *J, struct buffer *buffer, char c)
{
    *buffer_reserve(J, buffer, 1) = c;
    buffer->size++;
}

void buffer_clear(js_State *J, struct buffer *buffer)
{
    js_free(J, buffer->data);
    *buffer = (struct buffer){0};
}
