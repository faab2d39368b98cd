/* patterns.h - lists of patterns (glob.h) in a configuration. */
#ifndef PAWL_STAGES_PATTERNS_H
#define PAWL_STAGES_PATTERNS_H

#include <stddef.h>

#include "stages/common/fields.h"

struct patterns {
    char **items;
    size_t count;
};

/* Reads an array of patterns into a struct patterns; reads one pattern into a char *. */
field_reader field_patterns;
field_reader field_pattern;

/* The first pattern that matches a name, or NULL. */
const char *patterns_find(const struct patterns *patterns, const char *name);

void patterns_clear(struct patterns *patterns);

#endif
