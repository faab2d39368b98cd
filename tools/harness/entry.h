/* entry.h - what a plugin says of itself. */
#ifndef HARNESS_ENTRY_H
#define HARNESS_ENTRY_H

#include <stdbool.h>

#include "core/plugin.h"
#include "tools/harness/check.h"

/* Whether a text is one line of UTF-8 that is not empty. */
bool entry_is_line(const char *text);

/* What the entry function of that name of a plugin that was loaded returns, or NULL. */
const void *entry_call(const struct plugin *plugin, const char *name);

/* What `create` answered to a configuration that it must refuse, and its words. */
void entry_judge_refusal(struct check *check, const char *config, int32_t status,
                         const struct buffer *words);

#endif
