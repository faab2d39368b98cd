/*
 * flat.h - the elements of a flat array.
 *
 * libmujs keeps the elements of an ordinary array side by side, and offers only one at a time. To
 * move many at once, as shift and splice must, one has to know where they are.
 */
#ifndef MUJS_FLAT_H
#define MUJS_FLAT_H

#include "libmujs.h"

#define FLAT_ELEMENT_SIZE ((size_t)16) /* of a js_Value */

/* Finds out where in an array object the pointer to its elements stands; 0: it was not found. For
 * the template. */
int flat_find_offset(js_State *J);

/* The first element of the array at `idx`, or NULL when it is not flat, is empty, or is no array.
 */
char *flat_elements(js_State *J, int idx);

#endif
