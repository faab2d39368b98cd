/* record.h - what was found, for `require_verified` (pawl.json(5)). */
#ifndef HARNESS_RECORD_H
#define HARNESS_RECORD_H

#include "tools/harness/check.h"

struct record;

/* Begins one: hashes the plugin, and asks it who it is, in a process of its own. NULL: no memory.
 */
struct record *record_new(const struct settings *settings);

void record_add(struct record *record, const struct requirement *requirement,
                const struct check *check);

/* Writes it to a file, which it replaces as a whole, and frees it. False after it has said what is
 * wrong. */
bool record_write(struct record *record, const char *path);

#endif
