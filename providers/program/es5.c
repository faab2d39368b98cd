#include "es5.h"

#include <stdio.h>
#include <string.h>

#include "token.h"

struct reader {
    struct program_tokenizer tokenizer;
    struct program_token token;    /* the one that is judged */
    struct program_token previous; /* the one before it */
    struct program_token older;    /* and before that */
};

static bool is_mark(const struct reader *r, const struct program_token *token, const char *mark)
{
    return program_token_is_mark(&r->tokenizer, token, mark);
}

static bool is_word(const struct reader *r, const struct program_token *token, const char *word)
{
    return program_token_is_word(&r->tokenizer, token, word);
}

static bool contains(const struct reader *r, const char *text)
{
    const struct program_token *token = &r->token;
    return memmem(r->tokenizer.text + token->start, token->end - token->start, text,
                  strlen(text)) != NULL;
}

static bool begins_expression(const struct program_token *token)
{
    return token->position == PROGRAM_AT_STATEMENT || token->position == PROGRAM_AT_OPERAND;
}

static const char *newer_number(const struct reader *r)
{
    const char *text = r->tokenizer.text + r->token.start;
    size_t length = r->token.end - r->token.start;
    bool prefixed = length > 1 && text[0] == '0';
    if (prefixed && strchr("bBoO", text[1]) != NULL)
        return "binary and octal literals (0b…, 0o…)";
    if (text[length - 1] == 'n')
        return "BigInt literals";
    if (memchr(text, '_', length) != NULL)
        return "separators in numbers (1_000)";
    return NULL;
}

static const char *newer_string(const struct reader *r)
{
    const char *text = r->tokenizer.text + r->token.start;
    size_t length = r->token.end - r->token.start;
    for (size_t i = 0; i + 2 < length; i++) {
        if (text[i] != '\\')
            continue;
        if (text[i + 1] == 'u' && text[i + 2] == '{')
            return "escapes of the form \\u{…}";
        i++;
    }
    return NULL;
}

static const char *newer_regexp(const struct reader *r)
{
    const char *text = r->tokenizer.text + r->token.start;
    size_t length = r->token.end - r->token.start, flags = length;
    bool in_class = false;
    while (text[flags - 1] != '/')
        flags--;
    for (size_t i = flags; i < length; i++)
        if (strchr("gim", text[i]) == NULL)
            return "regular expression flags other than g, i and m";
    for (size_t i = 1; i + 3 < flags; i++) {
        if (text[i] == '\\') {
            i++;
        } else if (text[i] == '[') {
            in_class = true;
        } else if (text[i] == ']') {
            in_class = false;
        } else if (!in_class && memcmp(text + i, "(?<", 3) == 0) {
            return text[i + 3] == '=' || text[i + 3] == '!'
                       ? "lookbehind assertions in regular expressions"
                       : "named groups in regular expressions";
        }
    }
    return NULL;
}

static const char *newer_member(const struct reader *r)
{
    if (is_mark(r, &r->token, "["))
        return "computed property names";
    if (is_mark(r, &r->token, "*"))
        return "generator functions";
    if (r->token.shorthand)
        return "shorthand properties ({a} for {a: a})";
    if (r->token.type == PROGRAM_TOKEN_NAME && !r->token.property_name) {
        if (program_token_is(&r->tokenizer, &r->token, "async"))
            return "async functions";
    }
    return NULL;
}

/* `name(` inside an object literal, unless `get` or `set` stands before it. */
static bool is_method(const struct reader *r)
{
    return is_mark(r, &r->token, "(") && r->token.bracket == PROGRAM_IN_PARAMETERS &&
           r->previous.position == PROGRAM_AT_MEMBER &&
           !(r->older.position == PROGRAM_AT_MEMBER && r->older.type == PROGRAM_TOKEN_NAME &&
             !r->older.property_name && !r->older.shorthand);
}

static const char *newer_name(const struct reader *r)
{
    const struct program_token *token = &r->token;
    if (is_word(r, token, "const"))
        return "const declarations";
    if (is_word(r, token, "let") && token->declares)
        return "let declarations";
    if (is_word(r, token, "class") && begins_expression(token))
        return "classes";
    if (is_word(r, token, "super"))
        return "classes";
    if (is_word(r, token, "import") && begins_expression(token))
        return "modules (import)";
    if (is_word(r, token, "export") && begins_expression(token))
        return "modules (export)";
    if (is_word(r, token, "of") && token->bracket == PROGRAM_IN_HEADER &&
        r->tokenizer.position == PROGRAM_AT_OPERAND)
        return "for…of loops";
    if (is_word(r, token, "await") && is_word(r, &r->previous, "for"))
        return "for await loops";
    return NULL;
}

/* What is only known at the token behind it is found here, and reported at `previous`. */
static const char *newer_previous(const struct reader *r)
{
    /* `async function`, `async x => …`; `async (…) => …` is a call until its arrow is found. */
    if (is_word(r, &r->previous, "async") && begins_expression(&r->previous) &&
        r->token.type == PROGRAM_TOKEN_NAME && !r->token.newline_before)
        return "async functions";
    if (is_word(r, &r->previous, "yield") && begins_expression(&r->previous) &&
        r->token.position == PROGRAM_AT_OPERAND)
        return "generator functions";
    if (is_method(r))
        return "methods in object literals ({a() {}} for {a: function () {}})";
    if (is_mark(r, &r->previous, ",") && is_mark(r, &r->token, ")"))
        return "trailing commas in calls and parameters";
    return NULL;
}

static const char *newer_mark(const struct reader *r)
{
    static const struct {
        const char *mark, *construct;
    } marks[] = {
        {"=>", "arrow functions"},        {"...", "spread and rest (...)"},
        {"?.", "optional chaining (?.)"}, {"??", "the operator ??"},
        {"?\?=", "logical assignment"},   {"&&=", "logical assignment"},
        {"||=", "logical assignment"},    {"**", "the operator **"},
        {"**=", "the operator **"},
    };
    const struct program_token *token = &r->token, *previous = &r->previous;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (is_mark(r, token, marks[i].mark))
            return marks[i].construct;
    if (is_mark(r, token, "*") && is_word(r, previous, "function"))
        return "generator functions";
    if (is_mark(r, token, ".") && is_word(r, previous, "new"))
        return "new.target";
    if (is_mark(r, token, "{") || is_mark(r, token, "[")) {
        bool in_parameters = (is_mark(r, previous, "(") || is_mark(r, previous, ",")) &&
                             previous->bracket == PROGRAM_IN_PARAMETERS;
        if (previous->declares || in_parameters)
            return "destructuring";
        if (is_mark(r, token, "{") && is_word(r, previous, "catch") &&
            token->bracket == PROGRAM_IN_BLOCK)
            return "catch without a variable";
    }
    if (is_mark(r, token, "=")) {
        if (token->bracket == PROGRAM_IN_PARAMETERS)
            return "default parameters";
        if ((is_mark(r, previous, "]") && previous->bracket == PROGRAM_IN_ARRAY) ||
            (is_mark(r, previous, "}") && previous->bracket == PROGRAM_IN_OBJECT))
            return "destructuring";
    }
    return NULL;
}

static const char *newer_token(const struct reader *r)
{
    const char *construct = NULL;
    if (r->token.position == PROGRAM_AT_MEMBER && (construct = newer_member(r)) != NULL)
        return construct;
    switch (r->token.type) {
    case PROGRAM_TOKEN_TEMPLATE:
        return "template literals";
    case PROGRAM_TOKEN_PRIVATE:
        return "private names (#x)";
    case PROGRAM_TOKEN_NUMBER:
        return newer_number(r);
    case PROGRAM_TOKEN_STRING:
        return newer_string(r);
    case PROGRAM_TOKEN_REGEXP:
        return newer_regexp(r);
    case PROGRAM_TOKEN_NAME:
        return contains(r, "\\u{") ? "escapes of the form \\u{…}" : newer_name(r);
    case PROGRAM_TOKEN_PUNCTUATOR:
        return newer_mark(r);
    default:
        return NULL;
    }
}

bool program_find_newer(const char *text, size_t length, struct program_newer *newer)
{
    struct reader r;
    program_tokenizer_start(&r.tokenizer, text, length);
    r.previous = r.older = (struct program_token){.type = PROGRAM_TOKEN_END};
    for (;;) {
        const struct program_token *found = &r.previous;
        const char *construct;
        program_tokenizer_next(&r.tokenizer, &r.token);
        if (r.token.type == PROGRAM_TOKEN_END)
            break;
        construct = newer_previous(&r);
        if (construct == NULL) {
            found = &r.token;
            construct = newer_token(&r);
        }
        if (construct != NULL) {
            *newer = (struct program_newer){construct, found->line, found->column};
            return true;
        }
        r.older = r.previous;
        r.previous = r.token;
    }
    *newer = (struct program_newer){NULL, 0, 0};
    return false;
}

void program_newer_message(const struct program_newer *newer, char *out, size_t size)
{
    snprintf(out, size, "%s: this syntax is newer than javascript-es5", newer->construct);
}
