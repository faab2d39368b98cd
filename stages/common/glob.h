/* glob.h - patterns of the names of functions. */
#ifndef PAWL_STAGES_GLOB_H
#define PAWL_STAGES_GLOB_H

#include <stdbool.h>

/* Whether a name matches a pattern, in which `*` stands for any bytes (none, too), `?` for one
 * character, and a backslash makes the next character stand for itself. Takes time in proportion to
 * the product of their lengths at most. */
bool glob_match(const char *pattern, const char *name);

/* NULL, or what is wrong with a pattern. */
const char *glob_check(const char *pattern);

#endif
