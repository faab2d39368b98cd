#include "typescript.h"

#include <stdio.h>
#include <string.h>

#include "token.h"
#include "utf8.h"

/* A window of tokens; the last one is the newest. */
enum { OLDEST, OLDER, PREVIOUS, TOKEN, WINDOW };

struct reader {
    struct program_tokenizer tokenizer;
    struct program_token tokens[WINDOW];
    bool in_arguments;              /* between < and > that can be type arguments */
    struct program_token arguments; /* their < */
};

struct sign {
    const char *construct;
    const struct program_token *at, *name; /* name: NULL if it has none */
};

static bool is_mark(const struct reader *r, int index, const char *mark)
{
    return program_token_is_mark(&r->tokenizer, &r->tokens[index], mark);
}

static bool is_word(const struct reader *r, int index, const char *word)
{
    return program_token_is_word(&r->tokenizer, &r->tokens[index], word);
}

static bool is_any(const struct reader *r, int index, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (r->tokens[index].type == PROGRAM_TOKEN_NAME &&
            program_token_is(&r->tokenizer, &r->tokens[index], list[i]))
            return true;
    return false;
}

#define IS_ANY(r, index, list) is_any(r, index, list, sizeof(list) / sizeof *(list))

static bool is_name(const struct reader *r, int index)
{
    return r->tokens[index].type == PROGRAM_TOKEN_NAME;
}

static bool begins_statement(const struct reader *r, int index)
{
    return r->tokens[index].position == PROGRAM_AT_STATEMENT;
}

/* WORD NAME at the start of a statement and on one line. */
static bool is_declaration(const struct reader *r, const char *word)
{
    return is_word(r, PREVIOUS, word) && begins_statement(r, PREVIOUS) && is_name(r, TOKEN) &&
           !r->tokens[TOKEN].newline_before && r->tokens[TOKEN].position == PROGRAM_AT_OPERATOR;
}

static struct sign sign(const struct reader *r, const char *construct, int at, int name)
{
    return (struct sign){construct, &r->tokens[at], name >= 0 ? &r->tokens[name] : NULL};
}

static const char *const access_modifiers[] = {"public", "private", "protected", "readonly"};

static struct sign find_unsupported(const struct reader *r)
{
    if (is_word(r, PREVIOUS, "enum") && is_name(r, TOKEN) && !is_word(r, OLDER, "declare") &&
        !(is_word(r, OLDER, "const") && is_word(r, OLDEST, "declare")))
        return sign(r, "enum", is_word(r, OLDER, "const") ? OLDER : PREVIOUS, TOKEN);
    if ((is_declaration(r, "namespace") || is_declaration(r, "module")) &&
        !is_word(r, OLDER, "declare"))
        return sign(r, "namespace", PREVIOUS, TOKEN);
    if (r->tokens[TOKEN].bracket == PROGRAM_IN_PARAMETERS && is_name(r, TOKEN) &&
        IS_ANY(r, PREVIOUS, access_modifiers) && !IS_ANY(r, TOKEN, access_modifiers)) {
        int first = IS_ANY(r, OLDER, access_modifiers) ? OLDER : PREVIOUS;
        if (r->tokens[first].position == PROGRAM_AT_OPERAND)
            return sign(r, "parameter property", first, TOKEN);
    }
    if (is_mark(r, PREVIOUS, "@") && is_name(r, TOKEN))
        return sign(r, "decorator", PREVIOUS, TOKEN);
    if (is_word(r, OLDER, "import") && begins_statement(r, OLDER) && is_name(r, PREVIOUS) &&
        is_mark(r, TOKEN, "="))
        return sign(r, "import assignment", OLDER, PREVIOUS);
    if (is_word(r, PREVIOUS, "export") && begins_statement(r, PREVIOUS) && is_mark(r, TOKEN, "="))
        return sign(r, "export assignment", PREVIOUS, -1);
    return (struct sign){0};
}

/* `x: T` where JavaScript cannot have a colon. */
static bool is_annotation(const struct reader *r)
{
    const struct program_token *token = &r->tokens[TOKEN];
    /* Of `x?: T` the question mark stands before the colon. */
    const int name = is_mark(r, PREVIOUS, "?") ? OLDER : PREVIOUS, before = name - 1;
    if (!is_mark(r, TOKEN, ":"))
        return false;
    if (is_mark(r, PREVIOUS, ")"))
        return r->tokens[PREVIOUS].bracket == PROGRAM_IN_PARAMETERS;
    if (token->bracket == PROGRAM_IN_CLASS)
        return r->tokens[name].position == PROGRAM_AT_MEMBER;
    if (!is_name(r, name) || r->tokens[name].position != PROGRAM_AT_OPERAND)
        return false;
    if (r->tokens[before].declares)
        return true;
    return (is_mark(r, before, "(") || is_mark(r, before, ",") || is_mark(r, before, "...")) &&
           (token->bracket == PROGRAM_IN_PARAMETERS || token->bracket == PROGRAM_IN_GROUP ||
            token->bracket == PROGRAM_IN_ARGUMENTS);
}

static struct sign find_any(const struct reader *r)
{
    static const char *const member_modifiers[] = {"public",   "private", "protected", "readonly",
                                                   "abstract", "declare", "override"};
    static const char *const declarations[] = {"interface", "type", "declare", "abstract"};
    const struct program_token *token = &r->tokens[TOKEN];
    struct sign found = find_unsupported(r);
    if (found.construct != NULL)
        return found;
    if (is_annotation(r))
        return sign(r, "type annotation", TOKEN, -1);
    if (IS_ANY(r, PREVIOUS, declarations) && begins_statement(r, PREVIOUS) && is_name(r, TOKEN) &&
        !token->newline_before && !r->tokens[PREVIOUS].property_name)
        return sign(r, "type declaration", PREVIOUS, -1);
    if (is_word(r, OLDER, "import") && is_word(r, PREVIOUS, "type") && !is_word(r, TOKEN, "from") &&
        (is_name(r, TOKEN) || is_mark(r, TOKEN, "{")))
        return sign(r, "type import", PREVIOUS, -1);
    if ((is_word(r, TOKEN, "as") || is_word(r, TOKEN, "satisfies")) && !token->newline_before &&
        token->position == PROGRAM_AT_OPERATOR && !is_mark(r, PREVIOUS, "*") &&
        !(is_name(r, PREVIOUS) && r->tokens[PREVIOUS].position == PROGRAM_AT_MEMBER) &&
        !is_word(r, PREVIOUS, "as") && !is_word(r, PREVIOUS, "function"))
        return sign(r, "type assertion", TOKEN, -1);
    if (is_mark(r, TOKEN, "!") && token->position == PROGRAM_AT_OPERATOR && !token->newline_before)
        return sign(r, "non-null assertion", TOKEN, -1);
    if (r->tokens[PREVIOUS].bracket == PROGRAM_IN_CLASS &&
        r->tokens[PREVIOUS].position == PROGRAM_AT_MEMBER && !r->tokens[PREVIOUS].property_name &&
        IS_ANY(r, PREVIOUS, member_modifiers))
        return sign(r, "access modifier", PREVIOUS, -1);
    if (is_mark(r, TOKEN, "<") && is_name(r, PREVIOUS) &&
        (is_word(r, OLDER, "function") || is_word(r, OLDER, "class")))
        return sign(r, "type parameter", TOKEN, -1);
    if (is_word(r, TOKEN, "implements") && is_name(r, PREVIOUS) &&
        token->position == PROGRAM_AT_OPERATOR && !token->newline_before)
        return sign(r, "implements", TOKEN, -1);
    return (struct sign){0};
}

/* `new Map<string, number>(`: between the angle brackets stands nothing but what types are made of,
 * and behind them an opening parenthesis. */
static bool ends_arguments(struct reader *r)
{
    const struct program_token *token = &r->tokens[TOKEN];
    if (is_mark(r, TOKEN, "<") && is_name(r, PREVIOUS) && r->tokens[PREVIOUS].end == token->start) {
        if (!r->in_arguments)
            r->arguments = *token;
        r->in_arguments = true;
        return false;
    }
    if (!r->in_arguments)
        return false;
    if (is_mark(r, TOKEN, "(") && (is_mark(r, PREVIOUS, ">") || is_mark(r, PREVIOUS, ">>")) &&
        r->tokens[PREVIOUS].end == token->start)
        return true;
    static const char *const inside[] = {",", ".", "[", "]", "|", "&", ">", ">>"};
    bool belongs = is_name(r, TOKEN) || token->type == PROGRAM_TOKEN_STRING;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        belongs = belongs || is_mark(r, TOKEN, inside[i]);
    r->in_arguments = belongs;
    return false;
}

static bool find(const char *text, size_t length, struct program_typescript *found,
                 bool unsupported_only)
{
    struct reader r = {.in_arguments = false};
    *found = (struct program_typescript){0};
    program_tokenizer_start(&r.tokenizer, text, length);
    do {
        struct sign sign;
        memmove(&r.tokens[0], &r.tokens[1], sizeof r.tokens - sizeof *r.tokens);
        program_tokenizer_next(&r.tokenizer, &r.tokens[TOKEN]);
        sign = unsupported_only ? find_unsupported(&r) : find_any(&r);
        if (sign.construct == NULL && !unsupported_only && ends_arguments(&r))
            sign = (struct sign){"type arguments", &r.arguments, NULL};
        if (sign.construct != NULL) {
            found->construct = sign.construct;
            found->line = sign.at->line;
            found->column = sign.at->column;
            if (sign.name != NULL) {
                const char *name = text + sign.name->start;
                size_t size = sign.name->end - sign.name->start;
                memcpy(found->name, name, program_utf8_cut(name, size, sizeof found->name - 1));
            }
            return true;
        }
    } while (r.tokens[TOKEN].type != PROGRAM_TOKEN_END);
    return false;
}

bool program_find_unsupported_typescript(const char *text, size_t length,
                                         struct program_typescript *found)
{
    return find(text, length, found, true);
}

bool program_find_typescript(const char *text, size_t length, struct program_typescript *found)
{
    return find(text, length, found, false);
}

void program_typescript_message(const struct program_typescript *found, char *out, size_t size)
{
    static const struct {
        const char *construct, *instead;
    } advice[] = {
        {"enum", "write a const object, such as const Color = {Red: \"red\"}"},
        {"namespace", "write a const object with the functions in it"},
        {"parameter property", "declare the field, and assign it in the constructor"},
        {"decorator", "call the function yourself"},
        {"import assignment", "programs have no modules to load"},
        {"export assignment", "return the value instead"},
    };
    const char *instead = "write JavaScript, or TypeScript whose types can be removed";
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        if (strcmp(advice[i].construct, found->construct) == 0)
            instead = advice[i].instead;
    snprintf(out, size, "TypeScript's %s%s%s cannot be removed as types can; %s", found->construct,
             found->name[0] != 0 ? " " : "", found->name, instead);
}
