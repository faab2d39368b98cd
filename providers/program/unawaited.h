/* A call whose promise is used as if it were the value: the mistake behind many a "not a function"
 * or "undefined" in a program for the language `javascript`. */
#ifndef PROGRAM_UNAWAITED_H
#define PROGRAM_UNAWAITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nearest.h"

struct program_unawaited {
    char call[96]; /* such as "tools.get_logs", cut if it is longer */
    uint32_t line, column;
};

/* Finds the first call of a function in one of the names' namespaces which has no `await` and is
 * used at once (`tools.a().b`, `tools.a()[0]`), or kept in a variable that is used so and awaited
 * nowhere. Returns false if there is none. [any thread] */
bool program_find_unawaited(const char *text, size_t length, const struct program_name *names,
                            size_t count, struct program_unawaited *found);

#endif
