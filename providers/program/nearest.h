/* Which of the host's functions a program may have meant. */
#ifndef PROGRAM_NEAREST_H
#define PROGRAM_NEAREST_H

#include <stddef.h>

#define PROGRAM_NEAREST_MAX 3

/* A function that the program can call: `tools.get_logs` is {"tools", "get_logs"}. */
struct program_name {
    const char *space, *member;
};

/* Writes the indices of the names nearest to `wanted` (a member's name without its namespace) into
 * `nearest`, the best first, and returns how many there are; often none. Letter case, `_`, `-` and
 * camelCase make no difference. After those that are equal but for that come those a few slips away
 * (Damerau-Levenshtein), then those that share a word that says what they are about. Where two are
 * as near, those in `space` (may be NULL) come first, then the order of their letters decides,
 * never that of the list. [any thread] */
size_t program_nearest(const char *wanted, const char *space, const struct program_name *names,
                       size_t count, size_t nearest[PROGRAM_NEAREST_MAX]);

#endif
