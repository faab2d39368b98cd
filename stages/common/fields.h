/*
 * fields.h - reading a configuration by a table of its keys.
 *
 *     static const struct field fields[] = {
 *         {"match", field_text, offsetof(struct limit, match), "it says which functions"},
 *         {"calls", field_count, offsetof(struct limit, calls), NULL},
 *         {NULL},
 *     };
 *
 * Keys that are not in the table are errors.
 */
#ifndef PAWL_STAGES_FIELDS_H
#define PAWL_STAGES_FIELDS_H

#include <pawl/stage.h>

struct json_object;

/* Reads a value into a member; `place` says where the value stands. PAWL_OK, or PAWL_E_CONFIG with
 * an explanation, or PAWL_E_MEMORY. What it allocated in the member is freed with the target. */
typedef int32_t field_reader(void *member, const char *place, struct json_object *value,
                             const struct pawl_sink *why);

struct field {
    const char *name; /* NULL ends the table */
    field_reader *read;
    size_t offset;       /* of the member in the target */
    const char *missing; /* the key is required; this is said where it is missing */
};

/* The configuration of a stage, a JSON object such as `example`. */
int32_t fields_parse(const char *config, const struct field *fields, const char *example,
                     void *target, const struct pawl_sink *why);

/* An object inside of one; `where` stands before its keys in what is said. */
int32_t fields_read(struct json_object *object, const char *where, const struct field *fields,
                    void *target, const struct pawl_sink *why);

field_reader field_flag;  /* bool: true or false */
field_reader field_count; /* uint64_t: a whole number of at least 1 */
field_reader field_size;  /* uint64_t: bytes of at least 1: 65536 or "64KiB" */
field_reader
    field_duration;      /* uint64_t: milliseconds of at least 1: "1500ms", "30s", "10m", "1h" */
field_reader field_text; /* char *: text without U+0000, allocated */

#endif
