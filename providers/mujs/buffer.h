/*
 * buffer.h - bytes that grow, in the heap of a VM.
 *
 * A buffer belongs to an object on the stack of the VM, so that it is freed also when an exception
 * passes the function that uses it.
 */
#ifndef MUJS_BUFFER_H
#define MUJS_BUFFER_H

#include "libmujs.h"

#include <stddef.h>

struct buffer {
    char *data;
    int size, room;
};

/* Pushes an object that owns a new buffer. */
struct buffer *buffer_push(js_State *J);

/* Makes room for `extra` more bytes and returns where they go; `size` is not changed. */
char *buffer_reserve(js_State *J, struct buffer *buffer, size_t extra);

void buffer_add(js_State *J, struct buffer *buffer, const void *bytes, size_t size);
void buffer_add_text(js_State *J, struct buffer *buffer, const char *text);
void buffer_add_char(js_State *J, struct buffer *buffer, char c);

/* Frees the bytes early; the object on the stack stays. */
void buffer_clear(js_State *J, struct buffer *buffer);

#endif
