#include "position.h"

#include <stdio.h>
#include <string.h>

/* One line of a trace: "\tat NAME (program:3)" or "\tat program:3". Returns the line, or 0; *name
 * and *name_size tell the name. */
static uint32_t line_of_frame(const char *frame, size_t size, const char **name, size_t *name_size)
{
    static const char at[] = "\tat ", file[] = POSITION_FILE ":";
    size_t end = size, digits;
    uint64_t line = 0;
    int in_parentheses;

    if (size < sizeof at - 1 || memcmp(frame, at, sizeof at - 1) != 0)
        return 0;
    in_parentheses = frame[end - 1] == ')';
    end -= (size_t)in_parentheses;
    digits = end;
    while (digits > 0 && frame[digits - 1] >= '0' && frame[digits - 1] <= '9')
        digits--;
    if (digits == end || end - digits > 9 || digits < sizeof at - 1 + sizeof file - 1 ||
        memcmp(frame + digits - (sizeof file - 1), file, sizeof file - 1) != 0)
        return 0;
    for (size_t i = digits; i < end; i++)
        line = line * 10 + (uint64_t)(frame[i] - '0');
    *name = frame + sizeof at - 1;
    *name_size = digits - (sizeof file - 1) - (sizeof at - 1);
    if (in_parentheses && *name_size >= 2)
        *name_size -= 2; /* " (" */
    else if (in_parentheses || *name_size != 0)
        return 0;
    return (uint32_t)line;
}

/* Moves *trace to the next line of it. NULL at the end. */
static const char *next_frame(const char **trace, size_t *size)
{
    const char *frame = *trace;

    if (*frame == '\n')
        frame++;
    if (*frame == 0)
        return NULL;
    *size = strcspn(frame, "\n");
    *trace = frame + *size;
    return frame;
}

uint32_t position_of_trace(const char *trace)
{
    const char *frame, *name;
    size_t size, name_size;

    while ((frame = next_frame(&trace, &size)) != NULL) {
        uint32_t line = line_of_frame(frame, size, &name, &name_size);

        if (line != 0)
            return line;
    }
    return 0;
}

uint32_t position_of_message(const char **message)
{
    unsigned line;
    int consumed = 0;

    if (sscanf(*message, POSITION_FILE ":%9u: %n", &line, &consumed) != 1 || consumed == 0)
        return 0;
    *message += consumed;
    return line;
}

void position_add_frames(js_State *J, struct buffer *out, const char *trace)
{
    const char *frame, *name;
    size_t size, name_size;
    char where[32];

    while ((frame = next_frame(&trace, &size)) != NULL) {
        uint32_t line = line_of_frame(frame, size, &name, &name_size);

        if (line == 0)
            continue;
        buffer_add_text(J, out, "\n    at ");
        if (name_size > 0) {
            buffer_add(J, out, name, name_size);
            snprintf(where, sizeof where, " (line %u)", (unsigned)line);
        } else {
            snprintf(where, sizeof where, "line %u", (unsigned)line);
        }
        buffer_add_text(J, out, where);
    }
}
