#include "stages/common/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void text_append(struct text *text, const char *data, size_t size)
{
    if (text->full || size > text->capacity - text->size) {
        text->full = true;
        return;
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
}

void text_format(struct text *text, const char *format, ...)
{
    char formatted[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(formatted, sizeof(formatted), format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof(formatted))
        text->full = true;
    else
        text_append(text, formatted, (size_t)size);
}

/* The length of the well-formed character at `data`, and its code; or 0, and U+FFFD. */
static size_t decode(const unsigned char *data, size_t size, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = data[0] < 0x80   ? 1
                    : data[0] < 0xC2 ? 0
                    : data[0] < 0xE0 ? 2
                    : data[0] < 0xF0 ? 3
                    : data[0] < 0xF5 ? 4
                                     : 0;
    *code = 0xFFFD;
    if (length == 0 || length > size)
        return 0;
    uint32_t sum = length == 1 ? data[0] : data[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((data[i] & 0xC0) != 0x80)
            return 0;
        sum = sum << 6 | (data[i] & 0x3F);
    }
    if (sum < least[length] || sum > 0x10FFFF || (sum >= 0xD800 && sum <= 0xDFFF))
        return 0;
    *code = sum;
    return length;
}

/* Characters that are not seen, or that change how others are. */
static bool is_hidden(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x0000, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},
        {0x061C, 0x061C}, {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
        {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},   {0x3164, 0x3164},
        {0xD800, 0xDFFF}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
        if (code >= hidden[i].first && code <= hidden[i].last)
            return true;
    return false;
}

/* The escape of a character, in `buffer`. */
static size_t escape(uint32_t code, char buffer[16])
{
    static const char letters[] = "\bb\tt\nn\ff\rr";
    if (code == '"' || code == '\\')
        return (size_t)snprintf(buffer, 16, "\\%c", (char)code);
    for (const char *letter = letters; *letter != '\0'; letter += 2)
        if (code == (unsigned char)*letter)
            return (size_t)snprintf(buffer, 16, "\\%c", letter[1]);
    if (code < 0x10000)
        return (size_t)snprintf(buffer, 16, "\\u%04x", code);
    return (size_t)snprintf(buffer, 16, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10),
                            0xDC00 + ((code - 0x10000) & 0x3FF));
}

static size_t append_shown(struct text *text, const char *data, size_t size, size_t most,
                           bool quotes)
{
    size_t begin = text->size, taken = 0;
    while (taken < size) {
        uint32_t code;
        size_t length = decode((const unsigned char *)data + taken, size - taken, &code);
        char buffer[16];
        const char *shown = data + taken;
        size_t shown_size = length;
        if (length == 0 || is_hidden(code) || (quotes && (code == '"' || code == '\\'))) {
            shown_size = escape(code, buffer);
            shown = buffer;
        }
        if (text->size - begin + shown_size > most)
            break;
        text_append(text, shown, shown_size);
        if (text->full)
            break;
        taken += length > 0 ? length : 1;
    }
    return taken;
}

size_t text_plain(struct text *text, const char *data, size_t size, size_t most)
{
    return append_shown(text, data, size, most, false);
}

size_t text_json(struct text *text, const char *data, size_t size, size_t most)
{
    text_append(text, "\"", 1);
    size_t taken = append_shown(text, data, size, most, true);
    text_append(text, "\"", 1);
    return taken;
}
