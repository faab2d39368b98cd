/* The words that steer the tokenizer. Internal to it. */
#ifndef PROGRAM_WORD_H
#define PROGRAM_WORD_H

#include "token.h"

/* What a word does to the text behind it. */
enum word {
    WORD_OTHER, /* an identifier, or a word such as `this` that ends an expression */
    WORD_AS,
    WORD_ASYNC,
    WORD_AWAIT,
    WORD_BINARY, /* in, instanceof */
    WORD_CATCH,
    WORD_CLASS,
    WORD_DECLARE, /* var, const */
    WORD_DEFAULT,
    WORD_EXPORT,
    WORD_FOR,
    WORD_FUNCTION,
    WORD_HEADER, /* if, while, with: parentheses, then a statement */
    WORD_LET,
    WORD_OF,
    WORD_OPERAND, /* an expression follows */
    WORD_RETURN,
    WORD_STATEMENT, /* a statement follows */
    WORD_SWITCH,
    WORD_YIELD,
};

enum word word_find(const struct program_tokenizer *t, size_t start, size_t end);

/* Whether the word can stand before a member's name: get, static, … */
bool word_is_modifier(const struct program_tokenizer *t, size_t start, size_t end);

/* Whether an operand can begin at `offset`, and an operator that continues a name cannot. Used for
 * words that are operators to some programs and names to others. */
bool word_begins_operand(const struct program_tokenizer *t, size_t offset);

#endif
