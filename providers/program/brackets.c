#include "brackets.h"

#include <stdio.h>

#include "token.h"

static bool fail(struct program_error *error, const struct program_token *token)
{
    error->line = token->line;
    error->column = token->column;
    return false;
}

/* The last bracket that was opened at that depth is the one which is open still. */
static struct program_token find_open(struct program_tokenizer *t)
{
    const size_t depth = t->depth;
    struct program_token token, opened = {.type = PROGRAM_TOKEN_END};
    program_tokenizer_start(t, t->text, t->length);
    do {
        size_t before = t->depth;
        program_tokenizer_next(t, &token);
        if (before == depth - 1 && t->depth == depth)
            opened = token;
    } while (token.type != PROGRAM_TOKEN_END);
    return opened;
}

bool program_check_brackets(const char *text, size_t length, struct program_error *error)
{
    struct program_tokenizer t;
    struct program_token token;
    *error = (struct program_error){{0}, 0, 0};
    program_tokenizer_start(&t, text, length);
    do {
        program_tokenizer_next(&t, &token);
        if (token.unmatched) {
            snprintf(error->message, sizeof error->message, "this %c closes nothing",
                     text[token.start]);
            return fail(error, &token);
        }
        if (t.too_deep > 0) {
            snprintf(error->message, sizeof error->message, "the brackets are nested too deeply");
            return fail(error, &token);
        }
        if (token.type == PROGRAM_TOKEN_ERROR) {
            snprintf(error->message, sizeof error->message, "%s", token.problem);
            return fail(error, &token);
        }
    } while (token.type != PROGRAM_TOKEN_END);
    if (t.depth == 0)
        return true;
    token = find_open(&t);
    if (token.type == PROGRAM_TOKEN_TEMPLATE)
        snprintf(error->message, sizeof error->message,
                 "this template has a ${ that is never closed");
    else
        snprintf(error->message, sizeof error->message, "this %c is never closed",
                 text[token.start]);
    return fail(error, &token);
}
