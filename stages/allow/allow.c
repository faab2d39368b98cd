/*
 * allow - the stage that lets calls through by name; see pawl-allow(7).
 *
 *     {"allow": ["tools.get_*"], "deny": ["tools.get_secret"]}
 *
 * What a deny pattern matches is denied; otherwise what an allow pattern matches is allowed; and
 * what nothing matches is denied.
 */
#include <pawl/stage.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "stages/allow/glob.h"

struct patterns {
    char **items;
    size_t count;
};

struct allow {
    struct patterns allow;
    struct patterns deny;
};

__attribute__((format(printf, 2, 3))) static void say(const struct pawl_sink *sink,
                                                      const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 0 : (size_t)length;
    if (size >= sizeof(text)) /* cut it between two characters */
        for (size = sizeof(text) - 1; size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80;)
            size--;
    sink->write(sink->context, text, size);
}

/* --- Configuration ------------------------------------------------------------------------ */

static int32_t add_pattern(struct patterns *patterns, const char *key, struct json_object *value,
                           const struct pawl_sink *why)
{
    const char *pattern = json_object_get_string(value);
    size_t length = json_object_is_type(value, json_type_string)
                        ? (size_t)json_object_get_string_len(value)
                        : 0;
    if (!json_object_is_type(value, json_type_string) || strlen(pattern) != length) {
        say(why, "\"%s\"[%zu] must be a string such as \"tools.get_*\"", key, patterns->count);
        return PAWL_E_CONFIG;
    }
    const char *wrong = glob_check(pattern);
    if (wrong != NULL) {
        say(why, "\"%s\"[%zu]: %s", key, patterns->count, wrong);
        return PAWL_E_CONFIG;
    }
    patterns->items[patterns->count] = strdup(pattern);
    return patterns->items[patterns->count++] != NULL ? PAWL_OK : PAWL_E_MEMORY;
}

static int32_t read_patterns(struct patterns *patterns, const char *key, struct json_object *list,
                             const struct pawl_sink *why)
{
    if (!json_object_is_type(list, json_type_array)) {
        say(why, "\"%s\" must be an array of patterns such as \"tools.get_*\"", key);
        return PAWL_E_CONFIG;
    }
    size_t count = json_object_array_length(list);
    patterns->items = calloc(count + 1, sizeof(*patterns->items));
    if (patterns->items == NULL)
        return PAWL_E_MEMORY;
    int32_t status = PAWL_OK;
    for (size_t i = 0; i < count && status == PAWL_OK; i++)
        status = add_pattern(patterns, key, json_object_array_get_idx(list, i), why);
    return status;
}

static int32_t read_config(struct allow *allow, struct json_object *config,
                           const struct pawl_sink *why)
{
    if (!json_object_is_type(config, json_type_object)) {
        say(why, "the configuration must be a JSON object: {\"allow\": [\"tools.get_*\"]}");
        return PAWL_E_CONFIG;
    }
    bool allows = false;
    json_object_object_foreach(config, key, value)
    {
        int32_t status;
        if (strcmp(key, "allow") == 0) {
            allows = true;
            status = read_patterns(&allow->allow, key, value, why);
        } else if (strcmp(key, "deny") == 0) {
            status = read_patterns(&allow->deny, key, value, why);
        } else {
            say(why, "unknown key \"%.64s\"; known here: \"allow\", \"deny\"", key);
            status = PAWL_E_CONFIG;
        }
        if (status != PAWL_OK)
            return status;
    }
    if (!allows) {
        /* It would deny every call, which nobody means who forgot a key. */
        say(why, "\"allow\" is missing; [] allows nothing");
        return PAWL_E_CONFIG;
    }
    return PAWL_OK;
}

static void patterns_clear(struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        free(patterns->items[i]);
    free(patterns->items);
}

static void destroy(void *instance)
{
    struct allow *allow = instance;
    patterns_clear(&allow->allow);
    patterns_clear(&allow->deny);
    free(allow);
}

static int32_t create(const char *config, const struct pawl_sink *why, void **instance)
{
    enum json_tokener_error error;
    struct json_object *parsed = json_tokener_parse_verbose(config, &error);
    if (parsed == NULL) {
        say(why, "the configuration is not a JSON object: %s", json_tokener_error_desc(error));
        return PAWL_E_CONFIG;
    }
    struct allow *allow = calloc(1, sizeof(*allow));
    int32_t status = allow != NULL ? read_config(allow, parsed, why) : PAWL_E_MEMORY;
    json_object_put(parsed);
    if (status == PAWL_OK)
        *instance = allow;
    else if (allow != NULL)
        destroy(allow);
    return status;
}

/* --- Judging ------------------------------------------------------------------------------ */

static const char *find(const struct patterns *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (glob_match(patterns->items[i], name))
            return patterns->items[i];
    return NULL;
}

static int32_t judge(void *instance, const struct pawl_stage_call *call,
                     const struct pawl_sink *why, uint32_t *verdict)
{
    const struct allow *allow = instance;
    const char *pattern = find(&allow->deny, call->name);
    *verdict = PAWL_VERDICT_DENY;
    if (pattern != NULL)
        say(why, "%s is denied by the pattern \"%s\"", call->name, pattern);
    else if (find(&allow->allow, call->name) == NULL)
        say(why, "%s is not among the functions that are allowed", call->name);
    else
        *verdict = PAWL_VERDICT_ALLOW;
    return PAWL_OK;
}

static const struct pawl_stage stage = {
    .header = PAWL_HEADER(STAGE, stage),
    .name = "allow",
    .version = "1.0",
    .description = "lets calls through whose names match a pattern",
    .threads = 2, /* any number of calls at once: nothing changes after create */
    .create = create,
    .destroy = destroy,
    .judge = judge,
};

PAWL_EXPORT const struct pawl_stage *pawl_stage_entry_v1(void)
{
    return &stage;
}
