#include "shape.h"

#include <string.h>

#include "token.h"

/* How far a program has been read that may be one function and nothing else. */
enum shape_state {
    SHAPE_BEGIN,
    SHAPE_DIRECTIVE,  /* behind a string */
    SHAPE_ASYNC,      /* behind `async` */
    SHAPE_FUNCTION,   /* behind `function` */
    SHAPE_NAME,       /* behind one name: only `=>` can follow */
    SHAPE_HEAD,       /* behind the `)` of parameters */
    SHAPE_TYPE,       /* in TypeScript's type of what an arrow function returns */
    SHAPE_ARROW,      /* behind `=>` */
    SHAPE_GROUP,      /* in or behind parentheses at the start */
    SHAPE_EXPRESSION, /* in the rest of an expression, which ends the program */
    SHAPE_DONE,       /* behind it */
    SHAPE_OTHER,      /* it is something else */
};

struct reader {
    struct program_tokenizer tokenizer;
    enum shape_state state;
    bool has_start;
    bool must_be_called;   /* it begins with `await` */
    bool groups_function;  /* the parentheses contain a function */
    bool follows_export;   /* `export` was the previous token */
    size_t export_start;   /* its offset */
    bool follows_function; /* `function` was */
    struct program_shape *shape;
};

static enum shape_state begin_shape(struct reader *r, const struct program_token *token)
{
    const struct program_tokenizer *t = &r->tokenizer;
    if (token->type == PROGRAM_TOKEN_STRING && !r->has_start)
        return SHAPE_DIRECTIVE;
    if (!r->has_start) {
        r->has_start = true;
        r->shape->start = token->start;
        r->shape->line = token->line;
        r->shape->column = token->column;
    }
    if (token->awaits && !r->must_be_called) {
        r->must_be_called = true;
        return SHAPE_BEGIN;
    }
    if (program_token_is_mark(t, token, "("))
        return SHAPE_GROUP;
    if (r->must_be_called || token->type != PROGRAM_TOKEN_NAME)
        return SHAPE_OTHER;
    if (program_token_is(t, token, "async"))
        return SHAPE_ASYNC;
    if (program_token_is(t, token, "function"))
        return SHAPE_FUNCTION;
    return SHAPE_NAME;
}

/* `depth` is that of the text around the token. */
static enum shape_state next_shape(struct reader *r, const struct program_token *token,
                                   size_t depth)
{
    const struct program_tokenizer *t = &r->tokenizer;
    const bool ends = program_token_is_mark(t, token, ";");
    switch (r->state) {
    case SHAPE_BEGIN:
        return begin_shape(r, token);
    case SHAPE_DIRECTIVE:
        if (ends)
            return SHAPE_BEGIN;
        return token->position == PROGRAM_AT_STATEMENT ? begin_shape(r, token) : SHAPE_OTHER;
    case SHAPE_ASYNC:
        if (depth > 0 || program_token_is_mark(t, token, "("))
            return SHAPE_ASYNC;
        if (program_token_is_mark(t, token, ")"))
            return SHAPE_HEAD;
        if (token->type != PROGRAM_TOKEN_NAME || token->newline_before)
            return SHAPE_OTHER;
        return program_token_is(t, token, "function") ? SHAPE_FUNCTION : SHAPE_NAME;
    case SHAPE_FUNCTION:
        if (depth > 0)
            return SHAPE_FUNCTION;
        if (token->type == PROGRAM_TOKEN_PUNCTUATOR && token->bracket == PROGRAM_IN_FUNCTION &&
            t->text[token->start] == '}')
            return SHAPE_DONE;
        return program_token_is_mark(t, token, "*") || ends ? SHAPE_OTHER : SHAPE_FUNCTION;
    case SHAPE_NAME:
        return program_token_is_mark(t, token, "=>") ? SHAPE_ARROW : SHAPE_OTHER;
    case SHAPE_HEAD:
        if (program_token_is_mark(t, token, ":"))
            return SHAPE_TYPE;
        return program_token_is_mark(t, token, "=>") ? SHAPE_ARROW : SHAPE_OTHER;
    case SHAPE_TYPE:
        if (ends)
            return SHAPE_OTHER;
        return depth == 0 && program_token_is_mark(t, token, "=>") ? SHAPE_ARROW : SHAPE_TYPE;
    case SHAPE_ARROW:
        if (token->bracket == PROGRAM_IN_FUNCTION && depth == 0 &&
            program_token_is_mark(t, token, "{"))
            return SHAPE_ARROW;
        if (depth > 0)
            return SHAPE_ARROW;
        if (token->bracket == PROGRAM_IN_FUNCTION && program_token_is_mark(t, token, "}"))
            return SHAPE_DONE;
        return SHAPE_EXPRESSION;
    case SHAPE_GROUP:
        if (depth == 1 && program_token_is_mark(t, token, "=>"))
            r->groups_function = true;
        if (depth == 1 && r->follows_function && !program_token_is_mark(t, token, "*"))
            r->groups_function = true;
        if (depth > 0 || program_token_is_mark(t, token, ")"))
            return SHAPE_GROUP;
        if (program_token_is_mark(t, token, "=>"))
            return r->must_be_called ? SHAPE_OTHER : SHAPE_ARROW;
        if (program_token_is_mark(t, token, ":") && !r->groups_function)
            return SHAPE_TYPE;
        if (r->groups_function && program_token_is_mark(t, token, "("))
            return SHAPE_EXPRESSION;
        return r->groups_function && ends ? SHAPE_DONE : SHAPE_OTHER;
    case SHAPE_EXPRESSION:
        if (depth > 0)
            return SHAPE_EXPRESSION;
        if (ends)
            return SHAPE_DONE;
        return token->position == PROGRAM_AT_STATEMENT ? SHAPE_OTHER : SHAPE_EXPRESSION;
    case SHAPE_DONE:
        return ends ? SHAPE_DONE : SHAPE_OTHER;
    case SHAPE_OTHER:
        break;
    }
    return SHAPE_OTHER;
}

static void find_export(struct reader *r, const struct program_token *token)
{
    const struct program_tokenizer *t = &r->tokenizer;
    if (r->shape->has_export_default)
        return;
    if (r->follows_export && program_token_is_word(t, token, "default") && !token->newline_before) {
        r->shape->has_export_default = true;
        r->shape->export_start = r->export_start;
        r->shape->default_start = token->start;
    }
    r->follows_export = token->bracket == PROGRAM_IN_PROGRAM &&
                        token->position == PROGRAM_AT_STATEMENT &&
                        program_token_is_word(t, token, "export");
    r->export_start = token->start;
}

/* Whether the program may end in this state as one function. */
static bool is_function(const struct reader *r)
{
    switch (r->state) {
    case SHAPE_DONE:
    case SHAPE_EXPRESSION:
        return r->has_start;
    case SHAPE_GROUP:
        return r->groups_function && !r->must_be_called;
    default:
        return false;
    }
}

void program_read_shape(const char *text, size_t length, struct program_shape *shape)
{
    struct reader r;
    struct program_token token;
    memset(&r, 0, sizeof r);
    *shape = (struct program_shape){.is_empty = true};
    r.shape = shape;
    program_tokenizer_start(&r.tokenizer, text, length);
    for (;;) {
        size_t depth = r.tokenizer.depth;
        program_tokenizer_next(&r.tokenizer, &token);
        if (token.type == PROGRAM_TOKEN_END)
            break;
        if (r.tokenizer.depth < depth)
            depth = r.tokenizer.depth;
        shape->is_empty = false;
        shape->end = token.end;
        find_export(&r, &token);
        if (token.unmatched)
            r.state = SHAPE_OTHER;
        if (r.state != SHAPE_OTHER)
            r.state = next_shape(&r, &token, depth);
        r.follows_function = program_token_is_word(&r.tokenizer, &token, "function");
    }
    shape->is_function = !shape->has_export_default && r.tokenizer.depth == 0 && is_function(&r);
}
