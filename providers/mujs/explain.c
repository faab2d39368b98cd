#include "explain.h"

#include "providers/program/token.h"

#include <string.h>

/* Adds a piece of the text to the subject; what does not fit makes it empty for good. */
static int append(struct explanation *found, const char *text, size_t size)
{
    size_t used = strlen(found->subject);

    if (used + size >= sizeof found->subject)
        return 0;
    memcpy(found->subject + used, text, size);
    found->subject[used + size] = 0;
    return 1;
}

static int is_reserved_caller(const struct program_tokenizer *t, const struct program_token *token)
{
    static const char *const words[] = {"if",     "for",    "while",  "switch", "catch",   "with",
                                        "return", "typeof", "delete", "void",   "throw",   "in",
                                        "new",    "case",   "else",   "do",     "function"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (program_token_is_word(t, token, words[i]))
            return 1;
    return 0;
}

/* Whether the chain is a namespace and a member that it does not have. */
static int is_unknown_member(const char *chain, const struct pawl_run *run)
{
    const char *dot = strchr(chain, '.');

    if (dot == NULL || strchr(dot + 1, '.') != NULL)
        return 0;
    for (uint32_t i = 0; i < run->namespace_count; i++) {
        const struct pawl_namespace *space = run->namespaces[i];

        if (strlen(space->name) != (size_t)(dot - chain) ||
            memcmp(space->name, chain, (size_t)(dot - chain)) != 0)
            continue;
        for (uint32_t k = 0; k < space->function_count; k++) {
            const struct pawl_function *function = space->functions[k];

            if (strcmp(function->name, dot + 1) == 0 ||
                (function->alias != NULL && strcmp(function->alias, dot + 1) == 0))
                return 0;
        }
        return 1;
    }
    return 0;
}

void explain_call(const char *text, size_t length, uint32_t line, const struct pawl_run *run,
                  struct explanation *found)
{
    struct program_tokenizer t;
    struct program_token token;
    struct explanation chain = {0}; /* the names just read: `a.b.c` */
    int calls = 0, members = 0, after_dot = 0, is_plain = 0;
    struct explanation call = {0}, member = {0};

    *found = (struct explanation){0};
    program_tokenizer_start(&t, text, length);
    for (;;) {
        program_tokenizer_next(&t, &token);
        if (token.type == PROGRAM_TOKEN_END || token.line > line)
            break;
        if (token.type == PROGRAM_TOKEN_NAME && !(is_reserved_caller(&t, &token) && !after_dot)) {
            if (!after_dot) {
                chain = (struct explanation){.column = token.column};
                is_plain = token.line == line;
            }
            if (!append(&chain, text + token.start, token.end - token.start))
                is_plain = 0;
            after_dot = 0;
            continue;
        }
        if (program_token_is_mark(&t, &token, ".")) {
            if (chain.subject[0] == 0 || !append(&chain, ".", 1))
                is_plain = 0;
            after_dot = 1;
            continue;
        }
        if (token.line == line && program_token_is_mark(&t, &token, "(") &&
            token.bracket == PROGRAM_IN_ARGUMENTS) {
            calls++;
            call = is_plain ? chain : (struct explanation){0};
            if (is_plain && is_unknown_member(chain.subject, run)) {
                members++;
                member = chain;
            }
        }
        chain = (struct explanation){0};
        is_plain = after_dot = 0;
    }
    if (members == 1) {
        *found = member;
        found->is_member = 1;
    } else if (calls == 1) {
        *found = call;
    }
}

void explain_name(const char *text, size_t length, uint32_t line, const char *name,
                  struct explanation *found)
{
    struct program_tokenizer t;
    struct program_token token;
    int times = 0;

    *found = (struct explanation){0};
    append(found, name, strlen(name));
    program_tokenizer_start(&t, text, length);
    for (;;) {
        program_tokenizer_next(&t, &token);
        if (token.type == PROGRAM_TOKEN_END || token.line > line)
            break;
        if (token.line == line && program_token_is_word(&t, &token, name)) {
            times++;
            found->column = token.column;
        }
    }
    if (times != 1)
        found->column = 0;
}

/* --- Structure ----------------------------------------------------------------------------- */

/* libmujs tells a regular expression from a division by the token before it alone: behind these,
 * and behind names, it is a division. */
static int libmujs_divides_after(const char *text, const struct program_token *before)
{
    static const char *const keywords[] = {
        "break",      "case", "catch",   "continue", "debugger", "default", "delete",
        "do",         "else", "finally", "for",      "function", "if",      "in",
        "instanceof", "new",  "return",  "switch",   "throw",    "try",     "typeof",
        "var",        "void", "while",   "with"};
    size_t size = before->end - before->start;

    switch (before->type) {
    case PROGRAM_TOKEN_NUMBER:
    case PROGRAM_TOKEN_STRING:
        return 1;
    case PROGRAM_TOKEN_NAME:
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
            if (strlen(keywords[i]) == size && memcmp(keywords[i], text + before->start, size) == 0)
                return 0;
        return 1;
    case PROGRAM_TOKEN_PUNCTUATOR:
        return size == 1 && strchr(")]}", text[before->start]) != NULL;
    default:
        return 0;
    }
}

static const char *refused(const struct program_tokenizer *t, const char *text,
                           const struct program_token *before, const struct program_token *token)
{
    if (token->unmatched)
        return "this bracket closes nothing";
    if (token->type == PROGRAM_TOKEN_NAME) {
        if (memchr(text + token->start, '\\', token->end - token->start) != NULL)
            return "an escape in a name is not accepted: write the character itself";
        if (program_token_is_word(t, token, "eval"))
            return "eval does not exist here: write the code itself";
        if (program_token_is_word(t, token, "debugger"))
            return "there is no debugger here: remove the statement";
    }
    if (token->type == PROGRAM_TOKEN_REGEXP && libmujs_divides_after(text, before))
        return "this engine takes a / here for a division: put the regular expression into a "
               "variable first";
    if (token->type == PROGRAM_TOKEN_PUNCTUATOR && text[token->start] == '/' &&
        !libmujs_divides_after(text, before))
        return "this engine takes a / here for a regular expression: put what stands before it "
               "in parentheses";
    return NULL;
}

const char *explain_refused(const char *text, size_t length, uint32_t *line, uint32_t *column)
{
    struct program_tokenizer t;
    struct program_token token = {0}, before;
    const char *problem;

    program_tokenizer_start(&t, text, length);
    do {
        before = token;
        program_tokenizer_next(&t, &token);
        problem = refused(&t, text, &before, &token);
    } while (problem == NULL && token.type != PROGRAM_TOKEN_END);
    *line = token.line;
    *column = token.column;
    return problem;
}

/* How many open brackets are remembered. */
#define OPENED_MAX 512

const char *explain_broken(const char *text, size_t length, uint32_t *line, uint32_t *column)
{
    struct program_tokenizer t;
    struct program_token token;
    struct {
        uint32_t line, column;
    } opened[OPENED_MAX];
    size_t depth = 0;

    program_tokenizer_start(&t, text, length);
    for (;;) {
        program_tokenizer_next(&t, &token);
        *line = token.line;
        *column = token.column;
        if (token.type == PROGRAM_TOKEN_ERROR)
            return token.problem;
        if (token.type == PROGRAM_TOKEN_END)
            break;
        if (token.type != PROGRAM_TOKEN_PUNCTUATOR || token.end - token.start != 1)
            continue;
        if (strchr("([{", text[token.start]) != NULL) {
            if (depth < OPENED_MAX) {
                opened[depth].line = token.line;
                opened[depth].column = token.column;
            }
            depth++;
        } else if (strchr(")]}", text[token.start]) != NULL && depth > 0) {
            depth--;
        }
    }
    if (depth == 0 || depth > OPENED_MAX)
        return NULL;
    *line = opened[depth - 1].line;
    *column = opened[depth - 1].column;
    return "this bracket is never closed";
}
