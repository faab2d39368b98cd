/*
 * json.h - reading JSON that a stranger wrote, in place.
 *
 * A text is checked once as a whole (strict RFC 8259, well-formed UTF-8, limited depth, no
 * recursion); after that its values are handed out as slices of it, so that what is passed on is
 * passed on as it stood.
 */
#ifndef WIRE_JSON_H
#define WIRE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

/* One value, without white space around it; absent: text is NULL. */
struct json {
    const char *text;
    size_t size;
};

enum json_type {
    JSON_ANY,
    JSON_NULL,
    JSON_BOOLEAN,
    JSON_NUMBER,
    JSON_UNSIGNED, /* a number without sign, fraction and exponent, below 2^64 */
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

/* Whether the text is exactly one value. `value`, when not NULL, becomes that value. */
bool json_check(const char *text, size_t size, struct json *value);

/* JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY or JSON_OBJECT. All functions from
 * here on take values that were checked. */
enum json_type json_type(struct json value);

/* A member that the reader of an object wants. */
struct json_member {
    const char *name;
    enum json_type type;
    bool required;
    struct json value; /* set by json_members; absent: text NULL */
};

/* Finds the members of an object; unknown ones are skipped. On failure writes what is wrong to
 * `why` (if not NULL) and returns false: not an object, a duplicate of a wanted member, a missing
 * one, or one of the wrong type. */
bool json_members(struct json object, struct json_member *members, size_t count, struct text *why);

/* Steps through the elements of an array, or the members of an object (then `name` is a string
 * value; NULL when not wanted). Begin with {array.text + 1, ...}: json_iterate. */
struct json_iterator {
    const char *at, *end;
};
struct json_iterator json_iterate(struct json container);
bool json_next(struct json_iterator *iterator, struct json *name, struct json *value);

/* The value of a JSON_UNSIGNED; false if it is none. */
bool json_unsigned(struct json value, uint64_t *number);
bool json_is_true(struct json value);

/* Appends the bytes of a string value. U+DC80 to U+DCFF, unpaired, become the bytes that
 * text_json_string made them from; other unpaired surrogates take three bytes. */
void json_decode(struct json string, struct text *into);

/* Whether a string value is exactly this text (which must be plain ASCII without escapes). */
bool json_equals(struct json string, const char *text);

#endif
