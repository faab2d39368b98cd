/*
 * forin.h - `for (... in ...)` as ECMAScript has it.
 *
 * libmujs enumerates properties in alphabetical order, and the names that it gives for an array's
 * elements all change into the next one. So each such loop is rewritten, on its line, into one that
 * asks our own enumeration:
 *
 *     for (var key in object)
 *     for (var key, __keys_1__ = __keys__((object)); __next__(__keys_1__) && (key = __keys_1__[0],
 * true);)
 */
#ifndef MUJS_FORIN_H
#define MUJS_FORIN_H

#include <stddef.h>

/* Returns the text with its loops rewritten, from malloc; NULL when there is no memory. A loop
 * whose head is too unusual to be rewritten stays as it is. [any thread] */
char *forin_rewrite(const char *text, size_t length, size_t *rewritten_length);

#endif
