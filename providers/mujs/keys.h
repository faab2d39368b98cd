/*
 * keys.h - the own enumerable properties of an object in ECMAScript's order: array indices upwards,
 * then the others in the order of their creation.
 *
 * libmujs keeps properties in alphabetical order and no other. But a property is a block of the
 * arena, and the arena numbers its blocks. (Deleting a property can move another one into its
 * block: then that one takes the deleted one's place in the order.)
 */
#ifndef MUJS_KEYS_H
#define MUJS_KEYS_H

#include "buffer.h"

#include <stdint.h>

struct key {
    const char *name; /* interned: valid as long as the state */
    uint64_t rank;
};

/* Appends a struct key for each property of the object at `idx`, and returns how many. */
int keys_add(js_State *J, int idx, struct buffer *keys);

/* Like keys_add for the names in the array at `names`, which may also be of properties that are not
 * enumerable, of the object at `idx`. */
int keys_add_names(js_State *J, int idx, int names, struct buffer *keys);

#endif
