/* values.h - comparing JSON values. */
#ifndef HARNESS_VALUES_H
#define HARNESS_VALUES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether two JSON texts are the same value: the order of keys does not matter, and neither does
 * how a number or a string is written. */
bool values_equal(const char *a, size_t a_size, const char *b, size_t b_size);

#endif
