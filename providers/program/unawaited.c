#include "unawaited.h"

#include <string.h>

#include "token.h"
#include "utf8.h"

#define SPACES_MAX    16
#define VARIABLES_MAX 16

/* A variable that a call's promise was put into. */
struct variable {
    size_t start, end; /* of its name in the text */
    bool is_used, is_awaited;
    struct program_unawaited call;
};

struct reader {
    struct program_tokenizer tokenizer;
    const char *spaces[SPACES_MAX];
    size_t space_count;
    struct variable variables[VARIABLES_MAX];
    size_t variable_count;
};

static void collect_spaces(struct reader *r, const struct program_name *names, size_t count)
{
    for (size_t i = 0; i < count && r->space_count < SPACES_MAX; i++) {
        size_t known = 0;
        while (known < r->space_count && strcmp(r->spaces[known], names[i].space) != 0)
            known++;
        if (known == r->space_count)
            r->spaces[r->space_count++] = names[i].space;
    }
}

static bool is_space(const struct reader *r, const struct program_token *token)
{
    for (size_t i = 0; i < r->space_count; i++)
        if (program_token_is_word(&r->tokenizer, token, r->spaces[i]))
            return true;
    return false;
}

static bool same_text(const char *text, size_t a, size_t a_end, size_t b, size_t b_end)
{
    return a_end - a == b_end - b && memcmp(text + a, text + b, a_end - a) == 0;
}

static bool is_promise_method(const struct program_tokenizer *t, const struct program_token *token)
{
    return program_token_is(t, token, "then") || program_token_is(t, token, "catch") ||
           program_token_is(t, token, "finally");
}

/* Reads on behind `space` to the end of a call. Returns whether it was one; then *behind is the
 * first token that follows it. */
static bool read_call(struct program_tokenizer *t, const struct program_token *space,
                      struct program_unawaited *call, struct program_token *behind)
{
    size_t depth = t->depth, length;
    struct program_token token;
    program_tokenizer_next(t, &token);
    *behind = token;
    if (!program_token_is_mark(t, &token, "."))
        return false;
    program_tokenizer_next(t, &token);
    *behind = token;
    length =
        program_utf8_cut(t->text + space->start, token.end - space->start, sizeof call->call - 1);
    memcpy(call->call, t->text + space->start, length);
    call->call[length] = 0;
    call->line = space->line;
    call->column = space->column;
    program_tokenizer_next(t, behind);
    if (!program_token_is_mark(t, behind, "("))
        return false;
    do
        program_tokenizer_next(t, behind);
    while (behind->type != PROGRAM_TOKEN_END && t->depth > depth);
    if (behind->type != PROGRAM_TOKEN_END)
        program_tokenizer_next(t, behind);
    return true;
}

/* Whether the tokens from *token on use what stands before them as a value, not as a promise. Takes
 * one more token if it must. */
static bool uses_value(struct program_tokenizer *t, struct program_token *token)
{
    if (program_token_is_mark(t, token, "[") && !token->newline_before)
        return token->bracket == PROGRAM_IN_INDEX;
    if (!program_token_is_mark(t, token, "."))
        return false;
    program_tokenizer_next(t, token);
    return !is_promise_method(t, token);
}

static bool find_calls(struct reader *r, struct program_unawaited *found)
{
    struct program_tokenizer *t = &r->tokenizer;
    struct program_token token, previous = {.type = PROGRAM_TOKEN_END}, older = previous;
    program_tokenizer_next(t, &token);
    while (token.type != PROGRAM_TOKEN_END) {
        const struct program_token before = previous, name = older;
        struct program_unawaited call;
        older = previous;
        previous = token;
        if (!is_space(r, &token) || before.awaits) {
            program_tokenizer_next(t, &token);
            continue;
        }
        if (!read_call(t, &previous, &call, &token))
            continue;
        if (uses_value(t, &token)) {
            *found = call;
            return true;
        }
        if (program_token_is_mark(t, &before, "=") && name.type == PROGRAM_TOKEN_NAME &&
            !name.property_name && r->variable_count < VARIABLES_MAX)
            r->variables[r->variable_count++] =
                (struct variable){.start = name.start, .end = name.end, .call = call};
    }
    return false;
}

static void find_variable_uses(struct reader *r, const char *text, size_t length)
{
    struct program_tokenizer *t = &r->tokenizer;
    struct program_token token, previous = {.type = PROGRAM_TOKEN_END};
    program_tokenizer_start(t, text, length);
    program_tokenizer_next(t, &token);
    while (token.type != PROGRAM_TOKEN_END) {
        struct variable *variable = NULL;
        bool awaited = previous.awaits, spread = program_token_is_mark(t, &previous, "...") ||
                                                 program_token_is_word(t, &previous, "of");
        if (token.type == PROGRAM_TOKEN_NAME && !token.property_name)
            for (size_t i = 0; i < r->variable_count && variable == NULL; i++)
                if (same_text(text, token.start, token.end, r->variables[i].start,
                              r->variables[i].end))
                    variable = &r->variables[i];
        previous = token;
        program_tokenizer_next(t, &token);
        if (variable == NULL)
            continue;
        if (awaited)
            variable->is_awaited = true;
        else if (spread || uses_value(t, &token))
            variable->is_used = true;
    }
}

bool program_find_unawaited(const char *text, size_t length, const struct program_name *names,
                            size_t count, struct program_unawaited *found)
{
    struct reader r;
    r.space_count = r.variable_count = 0;
    *found = (struct program_unawaited){{0}, 0, 0};
    collect_spaces(&r, names, count);
    if (r.space_count == 0)
        return false;
    program_tokenizer_start(&r.tokenizer, text, length);
    if (find_calls(&r, found))
        return true;
    if (r.variable_count == 0)
        return false;
    find_variable_uses(&r, text, length);
    for (size_t i = 0; i < r.variable_count; i++) {
        if (r.variables[i].is_used && !r.variables[i].is_awaited) {
            *found = r.variables[i].call;
            return true;
        }
    }
    return false;
}
