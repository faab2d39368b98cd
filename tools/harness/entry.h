/* entry.h - what a plugin says of itself. */
#ifndef HARNESS_ENTRY_H
#define HARNESS_ENTRY_H

#include <stdbool.h>

#include "core/plugin.h"

/* Whether a text is one line of UTF-8 that is not empty. */
bool entry_is_line(const char *text);

/* What the entry function of that name of a plugin that was loaded returns, or NULL. */
const void *entry_call(const struct plugin *plugin, const char *name);

#endif
