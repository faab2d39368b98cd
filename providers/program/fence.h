/* Markdown around a program. */
#ifndef PROGRAM_FENCE_H
#define PROGRAM_FENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* If the text is Markdown with a fenced program, reduces it, in place, to that program and the line
 * ends before it; *length becomes the new length. The lines of `text` end with LF. Sets *is_fenced
 * if it is Markdown, and leaves it alone if not. Returns 0, or PROGRAM_E_SYNTAX if there is not
 * exactly one program in it. [any thread] */
int program_unwrap_fences(char *text, size_t *length, bool *is_fenced, struct program_error *error);

#endif
