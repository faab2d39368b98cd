/* Whether a program's brackets match, for two uses: an engine that wraps the text in a function
 * must know that the text cannot close the wrapper; and "unexpected end" is better said as which
 * bracket is still open. */
#ifndef PROGRAM_BRACKETS_H
#define PROGRAM_BRACKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* Returns true if every bracket is closed by its like. If not, *error says which is the first that
 * closes nothing, or the innermost that is never closed, and where. Brackets in strings, comments,
 * regular expressions and the text of templates are none. What is no token (a string that is not
 * closed, a character that means nothing) is an error here, too. [any thread] */
bool program_check_brackets(const char *text, size_t length, struct program_error *error);

#endif
