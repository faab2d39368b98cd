/* Doubles as ECMAScript writes and reads them: the shortest digits that give the same double again,
 * and the double nearest to a decimal text (ties to even). Independent of the locale; nothing is
 * allocated, no state is kept. [any thread] */
#ifndef PROGRAM_NUMBER_H
#define PROGRAM_NUMBER_H

#include <stddef.h>

#define PROGRAM_NUMBER_SIZE 32 /* holds every number's text with its terminating zero */

/* Number::toString(value, 10): "NaN", "Infinity", "1e+21"; -0 is "0". Returns the length. */
size_t program_number_print(double value, char out[PROGRAM_NUMBER_SIZE]);

/* The same for JSON text, where -0 is "-0". NaN and the infinities are no JSON: the length is 0. */
size_t program_number_print_json(double value, char out[PROGRAM_NUMBER_SIZE]);

/* Reads the longest decimal number that `text` begins with: an optional sign, digits with or
 * without a point (".5" and "5." too), an optional exponent. Returns how many bytes that was; 0 if
 * there is none, and then *value is 0. What is too large becomes an infinity, what is too small 0.
 */
size_t program_number_parse(const char *text, size_t length, double *value);

#endif
