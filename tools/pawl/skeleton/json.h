/* json.h - the little of JSON that the provider needs until its engine has its own. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>

#define JSON_DEPTH 512 /* lists and objects inside each other */

/* Whether the text is UTF-8. */
int utf8_check(const char *text, size_t size);

/* Whether the text, which is UTF-8, is one JSON value, nested JSON_DEPTH deep at most. */
int json_check(const char *text, size_t size);

/* The text as a JSON string, to be freed, and its size. NULL: no memory. */
char *json_quote(const char *text, size_t size, size_t *quoted_size);

#endif
