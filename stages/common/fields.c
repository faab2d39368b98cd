#include "stages/common/fields.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "stages/common/say.h"

#define PLACE_MAX 128

struct unit {
    const char *suffix;
    uint64_t factor;
};

/* As in pawl.json. */
static const struct unit sizes[] = {
    {"", 1},           {"K", 1u << 10},   {"M", 1u << 20},   {"G", 1u << 30},
    {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}, {NULL, 0},
};
static const struct unit times[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {NULL, 0},
};

/* --- Objects ------------------------------------------------------------------------------ */

static int32_t unknown_key(const char *where, const char *key, const struct field *fields,
                           const struct pawl_sink *why)
{
    say(why, "%sunknown key \"%.64s\"; known here: ", where, key);
    for (const struct field *field = fields; field->name != NULL; field++)
        say(why, "%s\"%s\"", field == fields ? "" : ", ", field->name);
    return PAWL_E_CONFIG;
}

int32_t fields_read(struct json_object *object, const char *where, const struct field *fields,
                    void *target, const struct pawl_sink *why)
{
    json_object_object_foreach(object, key, value)
    {
        const struct field *field = fields;
        while (field->name != NULL && strcmp(field->name, key) != 0)
            field++;
        if (field->name == NULL)
            return unknown_key(where, key, fields, why);
        char place[PLACE_MAX];
        snprintf(place, sizeof(place), "%s\"%s\"", where, field->name);
        int32_t status = field->read((char *)target + field->offset, place, value, why);
        if (status != PAWL_OK)
            return status;
    }
    for (; fields->name != NULL; fields++)
        if (fields->missing != NULL && !json_object_object_get_ex(object, fields->name, NULL)) {
            say(why, "%s\"%s\" is missing; %s", where, fields->name, fields->missing);
            return PAWL_E_CONFIG;
        }
    return PAWL_OK;
}

int32_t fields_parse(const char *config, const struct field *fields, const char *example,
                     void *target, const struct pawl_sink *why)
{
    enum json_tokener_error error;
    struct json_object *parsed = json_tokener_parse_verbose(config, &error);
    if (parsed == NULL && error != json_tokener_success) {
        say(why, "the configuration is not a JSON object: %s", json_tokener_error_desc(error));
        return PAWL_E_CONFIG;
    }
    int32_t status = PAWL_E_CONFIG;
    if (json_object_is_type(parsed, json_type_object))
        status = fields_read(parsed, "", fields, target, why);
    else
        say(why, "the configuration must be a JSON object: %s", example);
    json_object_put(parsed);
    return status;
}

/* --- Values ------------------------------------------------------------------------------- */

int32_t field_flag(void *member, const char *place, struct json_object *value,
                   const struct pawl_sink *why)
{
    if (!json_object_is_type(value, json_type_boolean)) {
        say(why, "%s must be true or false", place);
        return PAWL_E_CONFIG;
    }
    *(bool *)member = json_object_get_boolean(value);
    return PAWL_OK;
}

static bool is_count(struct json_object *value, uint64_t *count)
{
    if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 1)
        return false;
    *count = (uint64_t)json_object_get_int64(value);
    return true;
}

int32_t field_count(void *member, const char *place, struct json_object *value,
                    const struct pawl_sink *why)
{
    if (is_count(value, member))
        return PAWL_OK;
    say(why, "%s must be a whole number of at least 1", place);
    return PAWL_E_CONFIG;
}

static bool is_text(struct json_object *value)
{
    return json_object_is_type(value, json_type_string) &&
           strlen(json_object_get_string(value)) == (size_t)json_object_get_string_len(value);
}

/* A number with a unit; false also for 0 and for what is too large. */
static bool is_amount(struct json_object *value, const struct unit *units, uint64_t *amount)
{
    if (!is_text(value))
        return false;
    const char *text = json_object_get_string(value), *p = text;
    uint64_t number = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*p - '0'), &number))
            return false;
    for (; p != text && units->suffix != NULL; units++)
        if (strcmp(p, units->suffix) == 0)
            return !__builtin_mul_overflow(number, units->factor, amount) && *amount > 0;
    return false;
}

int32_t field_size(void *member, const char *place, struct json_object *value,
                   const struct pawl_sink *why)
{
    if (is_count(value, member) || is_amount(value, sizes, member))
        return PAWL_OK;
    say(why, "%s must be a size of at least 1 byte: write 1048576, \"1024K\" or \"1MiB\"", place);
    return PAWL_E_CONFIG;
}

int32_t field_duration(void *member, const char *place, struct json_object *value,
                       const struct pawl_sink *why)
{
    if (is_amount(value, times, member))
        return PAWL_OK;
    say(why, "%s must be a time of at least 1ms: write \"1500ms\", \"30s\", \"10m\" or \"1h\"",
        place);
    return PAWL_E_CONFIG;
}

int32_t field_text(void *member, const char *place, struct json_object *value,
                   const struct pawl_sink *why)
{
    if (!is_text(value)) {
        say(why, "%s must be a string without U+0000", place);
        return PAWL_E_CONFIG;
    }
    char *copy = strdup(json_object_get_string(value));
    if (copy == NULL)
        return PAWL_E_MEMORY;
    free(*(char **)member);
    *(char **)member = copy;
    return PAWL_OK;
}
