/* tokens.h - all tokens of a text that failed, to look around a place in it. */
#ifndef QUICKJS_TOKENS_H
#define QUICKJS_TOKENS_H

#include "providers/program/token.h"

struct place {
    uint32_t line, column; /* 1-based, in the evaluated text; 0: not known */
};

struct tokens {
    struct program_tokenizer tokenizer; /* large, and needed to look at the tokens */
    struct program_token *token;        /* the last one is PROGRAM_TOKEN_END */
    size_t count;
};

/* NULL: no memory, or more tokens than are looked at. `text` must outlive them. */
struct tokens *tokens_read(const char *text, size_t length);
void tokens_free(struct tokens *tokens);

/* The first token that begins at the place or behind it. */
size_t tokens_at(const struct tokens *tokens, const struct place *place);

/* What the i-th token is; false for an index that is none. */
bool is_mark(const struct tokens *tokens, size_t i, const char *mark);
bool is_word(const struct tokens *tokens, size_t i, const char *word);
bool is_name(const struct tokens *tokens, size_t i);

/* The text from one token to another, without the white space between them, cut to `size`. */
void tokens_copy(const struct tokens *tokens, size_t from, size_t to, char *out, size_t size);

#endif
