#include "context.h"

#include "word.h"

struct program_frame *context_top(struct program_tokenizer *t)
{
    return &t->frames[t->depth];
}

void context_push(struct program_tokenizer *t, enum program_bracket bracket,
                  enum program_position after, enum body then_body)
{
    if (t->depth == PROGRAM_DEPTH_MAX) {
        t->too_deep++;
        return;
    }
    t->depth++;
    *context_top(t) =
        (struct program_frame){.bracket = bracket, .after = after, .then_body = then_body};
}

bool context_holds_statements(enum program_bracket bracket)
{
    return bracket == PROGRAM_IN_PROGRAM || bracket == PROGRAM_IN_BLOCK ||
           bracket == PROGRAM_IN_FUNCTION;
}

static bool holds_members(enum program_bracket bracket)
{
    return bracket == PROGRAM_IN_CLASS || bracket == PROGRAM_IN_OBJECT;
}

static bool is_brace(enum program_bracket bracket)
{
    return bracket == PROGRAM_IN_BLOCK || bracket == PROGRAM_IN_FUNCTION || holds_members(bracket);
}

void context_end_statement(struct program_tokenizer *t)
{
    struct program_frame *frame = context_top(t);
    frame->body = BODY_NONE;
    frame->function = FUNCTION_NONE;
    frame->classes = 0;
    frame->questions = 0;
    frame->named = 0;
    t->position = context_holds_statements(frame->bracket) ? PROGRAM_AT_STATEMENT
                  : holds_members(frame->bracket)          ? PROGRAM_AT_MEMBER
                                                           : PROGRAM_AT_OPERAND;
}

bool context_previous_is(const struct program_tokenizer *t, const char *mark)
{
    return program_token_is_mark(t, &t->previous, mark);
}

void context_open_parenthesis(struct program_tokenizer *t, const struct program_token *token)
{
    struct program_frame *frame = context_top(t);
    enum word word = t->previous_word;
    if (frame->function != FUNCTION_NONE) {
        enum body body =
            frame->function == FUNCTION_DECLARATION ? BODY_DECLARATION : BODY_EXPRESSION;
        frame->function = FUNCTION_NONE;
        context_push(t, PROGRAM_IN_PARAMETERS, PROGRAM_AT_OPERATOR, body);
    } else if (frame->named) {
        frame->named = 0;
        context_push(t, PROGRAM_IN_PARAMETERS, PROGRAM_AT_OPERATOR, BODY_METHOD);
    } else if (word == WORD_CATCH) {
        context_push(t, PROGRAM_IN_PARAMETERS, PROGRAM_AT_OPERATOR, BODY_BLOCK);
    } else if (word == WORD_SWITCH) {
        context_push(t, PROGRAM_IN_HEADER, PROGRAM_AT_OPERATOR, BODY_BLOCK);
    } else if (word == WORD_HEADER || word == WORD_FOR) {
        context_push(t, PROGRAM_IN_HEADER, PROGRAM_AT_STATEMENT, BODY_NONE);
        context_top(t)->for_header = word == WORD_FOR;
    } else if (token->position == PROGRAM_AT_OPERATOR) {
        context_push(t, PROGRAM_IN_ARGUMENTS, PROGRAM_AT_OPERATOR, BODY_NONE);
    } else {
        context_push(t, PROGRAM_IN_GROUP, PROGRAM_AT_OPERATOR, BODY_NONE);
    }
    t->position = PROGRAM_AT_OPERAND;
}

void context_open_bracket(struct program_tokenizer *t, const struct program_token *token)
{
    if (token->position == PROGRAM_AT_MEMBER)
        context_top(t)->named = 1;
    context_push(t,
                 token->position == PROGRAM_AT_OPERATOR || token->position == PROGRAM_AT_MEMBER
                     ? PROGRAM_IN_INDEX
                     : PROGRAM_IN_ARRAY,
                 PROGRAM_AT_OPERATOR, BODY_NONE);
    t->position = PROGRAM_AT_OPERAND;
}

static void open_body(struct program_tokenizer *t)
{
    struct program_frame *frame = context_top(t);
    enum body body = frame->body;
    enum program_bracket bracket = body == BODY_BLOCK ? PROGRAM_IN_BLOCK : PROGRAM_IN_FUNCTION;
    enum program_position after = PROGRAM_AT_OPERATOR;
    frame->body = BODY_NONE;
    if (body == BODY_BLOCK || body == BODY_DECLARATION)
        after = PROGRAM_AT_STATEMENT;
    else if (body == BODY_METHOD && frame->bracket == PROGRAM_IN_CLASS)
        after = PROGRAM_AT_MEMBER;
    context_push(t, bracket, after, BODY_NONE);
    t->position = PROGRAM_AT_STATEMENT;
}

static void open_class(struct program_tokenizer *t)
{
    struct program_frame *frame = context_top(t);
    bool declares = --frame->classes == 0 && frame->class_declares;
    context_push(t, PROGRAM_IN_CLASS, declares ? PROGRAM_AT_STATEMENT : PROGRAM_AT_OPERATOR,
                 BODY_NONE);
    t->position = PROGRAM_AT_MEMBER;
}

void context_open_brace(struct program_tokenizer *t, const struct program_token *token)
{
    struct program_frame *frame = context_top(t);
    /* TypeScript: `f(): Promise<void> {` */
    bool ends_type = context_previous_is(t, ">") || context_previous_is(t, ">>") ||
                     program_token_is_word(t, &t->previous, "void");
    bool object;
    if (frame->body != BODY_NONE && (token->position == PROGRAM_AT_OPERATOR || ends_type)) {
        open_body(t);
        return;
    }
    if (frame->classes > 0 &&
        (token->position == PROGRAM_AT_OPERATOR || t->previous_word == WORD_CLASS || ends_type)) {
        open_class(t);
        return;
    }
    if (context_previous_is(t, "=>")) {
        context_push(t, PROGRAM_IN_FUNCTION, PROGRAM_AT_OPERATOR, BODY_NONE);
        t->position = PROGRAM_AT_STATEMENT;
        return;
    }
    switch (token->position) {
    case PROGRAM_AT_OPERAND:
        object = true;
        break;
    case PROGRAM_AT_OPERATOR: /* `as {…}`, else a block behind the end of a line, or TypeScript's */
        object = t->previous_word == WORD_AS && !token->newline_before;
        break;
    default:
        object = false;
        break;
    }
    if (object) {
        context_push(t, PROGRAM_IN_OBJECT, PROGRAM_AT_OPERATOR, BODY_NONE);
        t->position = PROGRAM_AT_MEMBER;
    } else if (token->position == PROGRAM_AT_MEMBER) { /* class { static {…} } */
        context_push(t, PROGRAM_IN_FUNCTION, PROGRAM_AT_MEMBER, BODY_NONE);
        t->position = PROGRAM_AT_STATEMENT;
    } else {
        if (token->newline_before)
            context_end_statement(t);
        context_push(t, PROGRAM_IN_BLOCK, PROGRAM_AT_STATEMENT, BODY_NONE);
        t->position = PROGRAM_AT_STATEMENT;
    }
}

void context_close_bracket(struct program_tokenizer *t, struct program_token *token, char mark)
{
    const struct program_frame closed = *context_top(t);
    bool matches;
    if (t->too_deep > 0) {
        t->too_deep--;
        t->position = mark == '}' ? PROGRAM_AT_STATEMENT : PROGRAM_AT_OPERATOR;
        return;
    }
    switch (closed.bracket) {
    case PROGRAM_IN_PROGRAM:
    case PROGRAM_IN_TEMPLATE: /* its `}` is read as the next piece of the template */
        matches = false;
        break;
    case PROGRAM_IN_ARRAY:
    case PROGRAM_IN_INDEX:
        matches = mark == ']';
        break;
    default:
        matches = mark == (is_brace(closed.bracket) ? '}' : ')');
        break;
    }
    if (!matches) {
        token->unmatched = true;
        t->position = mark == '}' ? PROGRAM_AT_STATEMENT : PROGRAM_AT_OPERATOR;
        return;
    }
    token->bracket = closed.bracket;
    t->depth--;
    t->position = closed.after;
    if (closed.then_body != BODY_NONE)
        context_top(t)->body = closed.then_body;
    if (closed.after == PROGRAM_AT_STATEMENT && is_brace(closed.bracket))
        context_end_statement(t);
    else if (closed.after == PROGRAM_AT_MEMBER)
        context_end_statement(t);
}

void context_colon(struct program_tokenizer *t)
{
    struct program_frame *frame = context_top(t);
    frame->named = 0;
    if (frame->questions > 0) {
        frame->questions--;
        t->position = PROGRAM_AT_OPERAND;
    } else if (context_holds_statements(frame->bracket) && frame->body == BODY_NONE) {
        context_end_statement(t); /* a label, `case x:`, `default:` */
    } else {
        t->position = PROGRAM_AT_OPERAND;
    }
}
