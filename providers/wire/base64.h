/* base64.h - bytes as text (RFC 4648, section 4). */
#ifndef WIRE_BASE64_H
#define WIRE_BASE64_H

#include <stdbool.h>

#include "text.h"

/* Appends the text of these bytes, without quotes. */
void base64_encode(struct text *into, const void *bytes, size_t size);

/* Appends the bytes of a text. False: it is malformed, or there is no room (into->failed). */
bool base64_decode(struct text *into, const char *text, size_t size);

#endif
