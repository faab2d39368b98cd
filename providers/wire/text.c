#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "providers/program/plain.h"

/* Makes room for `more` bytes and a NUL. */
static int reserve(struct text *text, size_t more)
{
    if (text->failed)
        return text->failed;
    if (more > SIZE_MAX / 4 - text->size ||
        (text->limit != 0 && (text->size > text->limit || more > text->limit - text->size)))
        return text->failed = PAWL_E_LIMIT;
    size_t need = text->size + more + 1;
    if (need <= text->capacity)
        return PAWL_OK;
    size_t capacity = text->capacity < 256 ? 256 : text->capacity * 2;
    if (capacity < need)
        capacity = need;
    char *data = realloc(text->data, capacity);
    if (data == NULL)
        return text->failed = PAWL_E_MEMORY;
    text->data = data;
    text->capacity = capacity;
    return PAWL_OK;
}

void text_append(struct text *text, const void *data, size_t size)
{
    if (reserve(text, size) != PAWL_OK || size == 0)
        return;
    memcpy(text->data + text->size, data, size);
    text->size += size;
}

void text_format(struct text *text, const char *format, ...)
{
    /* Mostly there is room enough already, and what stands behind the end is nobody's. */
    size_t room = text->capacity - text->size;
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(room == 0 ? NULL : text->data + text->size, room, format, arguments);
    va_end(arguments);
    if (size < 0 || reserve(text, (size_t)size) != PAWL_OK) {
        if (text->failed == PAWL_OK)
            text->failed = PAWL_E_MEMORY;
        return;
    }
    if ((size_t)size >= room) {
        va_start(arguments, format);
        vsnprintf(text->data + text->size, (size_t)size + 1, format, arguments);
        va_end(arguments);
    }
    text->size += (size_t)size;
}

void text_unsigned(struct text *text, uint64_t number)
{
    char digits[20];
    size_t at = sizeof(digits);
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    text_append(text, digits + at, sizeof(digits) - at);
}

size_t text_utf8(const char *data, size_t available)
{
    const unsigned char *byte = (const unsigned char *)data;
    if (available == 0)
        return 0;
    if (byte[0] < 0x80)
        return 1;
    if (byte[0] < 0xc2 || byte[0] > 0xf4)
        return 0;
    size_t length = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    if (available < length)
        return 0;
    /* The second byte excludes overlong forms, surrogates and what lies above U+10FFFF. */
    unsigned char low = byte[0] == 0xe0 ? 0xa0 : byte[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = byte[0] == 0xed ? 0x9f : byte[0] == 0xf4 ? 0x8f : 0xbf;
    if (byte[1] < low || byte[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void text_json_string(struct text *text, const char *data, size_t size)
{
    text_append(text, "\"", 1);
    for (size_t at = 0; at < size && !text->failed;) {
        size_t plain = json_plain(data + at, size - at);
        text_append(text, data + at, plain);
        at += plain;
        if (at == size)
            break;
        unsigned char byte = (unsigned char)data[at];
        size_t length = text_utf8(data + at, size - at);
        if (byte == '"' || byte == '\\')
            text_append(text, (const char[]){'\\', (char)byte}, 2);
        else if (byte == '\n')
            text_append(text, "\\n", 2);
        else if (byte < 0x20)
            text_format(text, "\\u%04x", byte);
        else if (length == 0)
            text_format(text, "\\udc%02x", byte);
        else
            text_append(text, data + at, length);
        at += length == 0 ? 1 : length;
    }
    text_append(text, "\"", 1);
}

const char *text_get(struct text *text)
{
    if (reserve(text, 0) != PAWL_OK)
        return NULL;
    text->data[text->size] = '\0';
    return text->data;
}

void text_clear(struct text *text)
{
    text->size = 0;
    text->failed = PAWL_OK;
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){.limit = text->limit};
}

static void sink_write(void *context, const char *data, size_t size)
{
    text_append(context, data, size);
}

struct pawl_sink text_sink(struct text *text)
{
    return (struct pawl_sink){
        .header = PAWL_HEADER(SINK, struct pawl_sink), .context = text, .write = sink_write};
}
