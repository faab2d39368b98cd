#include "tools/harness/values.h"

#include <string.h>

#include <json-c/json.h>

/* What the scenarios return is not deep. */
#define DEPTH 32

static void put(json_object **object)
{
    json_object_put(*object);
}

#define JSON_CLEANUP __attribute__((cleanup(put)))

static json_object *parse(const char *text, size_t size, bool *good)
{
    json_tokener *tokener = json_tokener_new_ex(DEPTH);
    json_object *value = NULL;
    if (tokener == NULL)
        return NULL;
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    value = json_tokener_parse_ex(tokener, text, (int)size + 1);
    *good = json_tokener_get_error(tokener) == json_tokener_success;
    json_tokener_free(tokener);
    return value;
}

static bool is_number(const json_object *value)
{
    json_type type = json_object_get_type(value);
    return type == json_type_int || type == json_type_double;
}

static bool equal(json_object *a, json_object *b)
{
    if (is_number(a) && is_number(b))
        return json_object_get_double(a) == json_object_get_double(b);
    if (json_object_get_type(a) != json_object_get_type(b))
        return false;
    if (json_object_is_type(a, json_type_array)) {
        size_t length = json_object_array_length(a);
        if (json_object_array_length(b) != length)
            return false;
        for (size_t i = 0; i < length; i++)
            if (!equal(json_object_array_get_idx(a, i), json_object_array_get_idx(b, i)))
                return false;
        return true;
    }
    if (json_object_is_type(a, json_type_object)) {
        if (json_object_object_length(a) != json_object_object_length(b))
            return false;
        json_object_object_foreach(a, key, value)
        {
            json_object *other;
            if (!json_object_object_get_ex(b, key, &other) || !equal(value, other))
                return false;
        }
        return true;
    }
    return json_object_equal(a, b) != 0;
}

bool values_equal(const char *a, size_t a_size, const char *b, size_t b_size)
{
    bool a_good = false, b_good = false;
    JSON_CLEANUP json_object *a_value = parse(a, a_size, &a_good);
    JSON_CLEANUP json_object *b_value = parse(b, b_size, &b_good);
    return a_good && b_good && equal(a_value, b_value);
}
