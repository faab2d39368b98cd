#include "stages/common/say.h"

#include <stdarg.h>
#include <stdio.h>

void say(const struct pawl_sink *sink, const char *format, ...)
{
    char text[SAY_MAX + 1];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 0 : (size_t)length;
    if (size >= sizeof(text)) /* cut it between two characters */
        for (size = sizeof(text) - 1; size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80;)
            size--;
    sink->write(sink->context, text, size);
}
