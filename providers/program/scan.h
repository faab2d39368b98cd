/* What stands at an offset of a text that is being tokenized. Internal to the tokenizer. */
#ifndef PROGRAM_SCAN_H
#define PROGRAM_SCAN_H

#include "token.h"

static inline bool scan_is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static inline bool scan_is_ascii_name(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || scan_is_digit(c) || c == '_' ||
           c == '$';
}

/* 0 behind the end. */
static inline unsigned char scan_at(const struct program_tokenizer *t, size_t offset)
{
    return offset < t->length ? (unsigned char)t->text[offset] : 0;
}

/* Whether the text from `start` to `end` is exactly `text`. */
bool scan_is(const struct program_tokenizer *t, size_t start, size_t end, const char *text);

/* The length of the line end at `offset`, 0 if there is none. */
size_t scan_line_end(const struct program_tokenizer *t, size_t offset);

/* The length of the part of an identifier at `offset`, 0 if there is none. */
size_t scan_name_part(const struct program_tokenizer *t, size_t offset);
bool scan_begins_name(const struct program_tokenizer *t, size_t offset);
/* The offset behind the identifier, or the rest of one, at `offset`. */
size_t scan_name_end(const struct program_tokenizer *t, size_t offset);

/* The offset of what follows white space and comments. *newline is set if a line ended on the way,
 * and never cleared. An unterminated comment is left to be read as a token. */
size_t scan_space(const struct program_tokenizer *t, size_t offset, bool *newline);

#endif
