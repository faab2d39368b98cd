/*
 * position.h - where in the program something happened, from what libmujs says of it.
 *
 * libmujs knows lines and no columns, and the text that it compiled (position_file) stands on the
 * lines that its author gave it.
 */
#ifndef MUJS_POSITION_H
#define MUJS_POSITION_H

#include "buffer.h"

#include <stdint.h>

/* What the program is called in libmujs's traces. */
#define POSITION_FILE "program"

/* The line of the innermost call in the program that a stackTrace tells; 0: none. */
uint32_t position_of_trace(const char *trace);

/* The line that the message of a syntax error begins with ("program:3: ..."), and the rest of the
 * message. 0 and the whole message when it does not. */
uint32_t position_of_message(const char **message);

/* Appends a stackTrace as the lines "\n    at NAME (line 3)", without those that are not in the
 * program. */
void position_add_frames(js_State *J, struct buffer *out, const char *trace);

#endif
