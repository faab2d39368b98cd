/*
 * text.h - between UTF-8 and the strings of the VM.
 *
 * libmujs counts characters in a string as it decodes it, and knows neither UTF-16 nor where a
 * string with U+0000 ends. So strings of the VM are held in CESU-8: a character above U+FFFF is a
 * pair of surrogates of three bytes each, an unpaired surrogate is itself, and U+0000 is C0 80.
 * Then a character of libmujs is exactly a UTF-16 unit, and byte order is the order of UTF-16
 * units, as ECMAScript wants it. Everything that comes into the VM is converted, everything that
 * leaves it is converted back.
 */
#ifndef MUJS_TEXT_H
#define MUJS_TEXT_H

#include "buffer.h"

#include <stdint.h>

/* Appends UTF-8 as a string of the VM. Bytes that are not UTF-8 become U+FFFD. */
void text_add_utf8(js_State *J, struct buffer *out, const char *utf8, size_t size);

/* Pushes UTF-8 as a string. */
void text_push_utf8(js_State *J, const char *utf8, size_t size);

/* Appends a string of the VM as UTF-8; an unpaired surrogate becomes U+FFFD. */
void text_add_string(js_State *J, struct buffer *out, const char *string);

/* Appends a string of the VM as a JSON string, with its quotes. Nothing is lost: an unpaired
 * surrogate is escaped. */
void text_add_json(js_State *J, struct buffer *out, const char *string);

/* Appends one UTF-16 unit as it stands in a string of the VM. */
void text_add_unit(js_State *J, struct buffer *out, unsigned unit);

/* Decodes one character of a string of the VM, a whole pair of surrogates if there is one, and
 * moves *string behind it. Never past the end. */
uint32_t text_next(const char **string);

#endif
