#include "stages/common/patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "stages/common/glob.h"
#include "stages/common/say.h"

int32_t field_pattern(void *member, const char *place, struct json_object *value,
                      const struct pawl_sink *why)
{
    const char *pattern = json_object_get_string(value);
    size_t length = json_object_is_type(value, json_type_string)
                        ? (size_t)json_object_get_string_len(value)
                        : 0;
    if (!json_object_is_type(value, json_type_string) || strlen(pattern) != length) {
        say(why, "%s must be a string such as \"tools.get_*\"", place);
        return PAWL_E_CONFIG;
    }
    const char *wrong = glob_check(pattern);
    if (wrong != NULL) {
        say(why, "%s: %s", place, wrong);
        return PAWL_E_CONFIG;
    }
    char *copy = strdup(pattern);
    if (copy == NULL)
        return PAWL_E_MEMORY;
    free(*(char **)member);
    *(char **)member = copy;
    return PAWL_OK;
}

int32_t field_patterns(void *member, const char *place, struct json_object *value,
                       const struct pawl_sink *why)
{
    struct patterns *patterns = member;
    if (!json_object_is_type(value, json_type_array)) {
        say(why, "%s must be an array of patterns such as \"tools.get_*\"", place);
        return PAWL_E_CONFIG;
    }
    size_t count = json_object_array_length(value);
    patterns->items = calloc(count + 1, sizeof(*patterns->items));
    if (patterns->items == NULL)
        return PAWL_E_MEMORY;
    patterns->count = count;
    int32_t status = PAWL_OK;
    for (size_t i = 0; i < count && status == PAWL_OK; i++) {
        char item[160];
        snprintf(item, sizeof(item), "%s[%zu]", place, i);
        status = field_pattern(&patterns->items[i], item, json_object_array_get_idx(value, i), why);
    }
    return status;
}

const char *patterns_find(const struct patterns *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (glob_match(patterns->items[i], name))
            return patterns->items[i];
    return NULL;
}

void patterns_clear(struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        free(patterns->items[i]);
    free(patterns->items);
}
