/* Which bracket the tokenizer is in, and what can come next. Internal to it. */
#ifndef PROGRAM_CONTEXT_H
#define PROGRAM_CONTEXT_H

#include "token.h"

/* Which body comes behind a closing parenthesis, or is due in a bracket. */
enum body { BODY_NONE, BODY_BLOCK, BODY_DECLARATION, BODY_EXPRESSION, BODY_METHOD };

enum function { FUNCTION_NONE, FUNCTION_DECLARATION, FUNCTION_EXPRESSION };

/* The innermost bracket. */
struct program_frame *context_top(struct program_tokenizer *t);
void context_push(struct program_tokenizer *t, enum program_bracket bracket,
                  enum program_position after, enum body then_body);
bool context_holds_statements(enum program_bracket bracket);

/* Whether the previous token is that punctuator. */
bool context_previous_is(const struct program_tokenizer *t, const char *mark);

/* A statement, or its like in the innermost bracket, has ended. */
void context_end_statement(struct program_tokenizer *t);

/* What each of these punctuators does. A closing one sets the token's bracket, or `unmatched`. */
void context_open_parenthesis(struct program_tokenizer *t, const struct program_token *token);
void context_open_bracket(struct program_tokenizer *t, const struct program_token *token);
void context_open_brace(struct program_tokenizer *t, const struct program_token *token);
void context_close_bracket(struct program_tokenizer *t, struct program_token *token, char mark);
void context_colon(struct program_tokenizer *t);

#endif
