#include "syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "providers/program/es5.h"
#include "providers/program/modules.h"
#include "providers/program/typescript.h"

struct explanation {
    struct place place; /* in the evaluated text */
    char message[400];
    char subject[64];
};

static JSValue compile(struct execution *x, const char *text, size_t length)
{
    return JS_Eval(&x->vm, text, length, FAILURE_FILE,
                   JS_EVAL_FLAG_COMPILE_ONLY | (x->is_synchronous ? 0 : JS_EVAL_FLAG_STRICT));
}

/* --- Modules -------------------------------------------------------------------------------------
 */

static bool mentions(const struct program_text *text, const char *word)
{
    return memmem(text->text + text->body, text->body_length, word, strlen(word)) != NULL;
}

/* `import` and its like fail before anything runs, also those that would parse. */
static bool find_modules(struct execution *x)
{
    const struct program_text *text = &x->text;
    struct program_module_use use;
    if ((!mentions(text, "import") && !mentions(text, "require") && !mentions(text, "export")) ||
        !program_find_module_use(text->text, text->length, &use))
        return false;
    struct program_typescript found;
    if (strcmp(use.form, "export") == 0 &&
        program_find_unsupported_typescript(text->text, text->length, &found))
        return false; /* inside a namespace: that is what to speak about */
    char message[256];
    program_module_message(&use, message, sizeof message);
    failure_say(x, "syntax", message);
    snprintf(x->failure.subject, sizeof x->failure.subject, "%s",
             strncmp(use.form, "require", 7) == 0 ? "require" : "import");
    program_text_locate(text, use.line, use.column, &x->failure.line, &x->failure.column);
    return true;
}

/* --- ECMAScript 5 --------------------------------------------------------------------------------
 */

/* The engine would run newer syntax, but what is asked for is a language that other engines run. */
static bool find_newer(struct execution *x)
{
    struct program_newer newer;
    if (!x->is_synchronous || !program_find_newer(x->text.text, x->text.length, &newer))
        return false;
    char message[256];
    snprintf(message, sizeof message,
             "%s are newer than javascript-es5, which is ECMAScript 5: write it without "
             "them, or ask for the language javascript",
             newer.construct);
    failure_say(x, "syntax", message);
    snprintf(x->failure.subject, sizeof x->failure.subject, "%s", newer.construct);
    program_text_locate(&x->text, newer.line, newer.column, &x->failure.line, &x->failure.column);
    return true;
}

/* --- TypeScript ----------------------------------------------------------------------------------
 */

static bool explain_typescript(struct execution *x, struct explanation *e)
{
    struct program_typescript found;
    if (!program_find_unsupported_typescript(x->text.text, x->text.length, &found))
        return false;
    program_typescript_message(&found, e->message, sizeof e->message);
    e->place = (struct place){found.line, found.column};
    return true;
}

/* --- The words -----------------------------------------------------------------------------------
 */

static bool ends_before(const struct execution *x, const struct tokens *tokens, size_t i)
{
    return tokens->token[i].start >= x->text.body + x->text.body_length;
}

static bool is_opening(const struct tokens *tokens, size_t i)
{
    return is_mark(tokens, i, "(") || is_mark(tokens, i, "[") || is_mark(tokens, i, "{");
}

static bool is_closing(const struct tokens *tokens, size_t i)
{
    return is_mark(tokens, i, ")") || is_mark(tokens, i, "]") || is_mark(tokens, i, "}");
}

/* The innermost bracket of the program that nothing closes; 0: there is none. */
static size_t find_unclosed(const struct execution *x, const struct tokens *tokens)
{
    size_t depth = 0;
    for (size_t i = tokens->count; i-- > 0;) {
        if (tokens->token[i].start < x->text.body)
            break;
        if (ends_before(x, tokens, i))
            continue;
        if (is_closing(tokens, i))
            depth++;
        else if (is_opening(tokens, i) && depth-- == 0)
            return i;
    }
    return 0;
}

/* The first bracket of the program that closes nothing; 0: there is none. */
static size_t find_unmatched(const struct execution *x, const struct tokens *tokens)
{
    size_t depth = 0;
    for (size_t i = 0; i < tokens->count && !ends_before(x, tokens, i); i++) {
        if (tokens->token[i].start < x->text.body)
            continue;
        if (is_opening(tokens, i))
            depth++;
        else if (is_closing(tokens, i) && depth-- == 0)
            return i;
    }
    return 0;
}

static void explain_early_end(const struct execution *x, const struct tokens *tokens,
                              struct explanation *e)
{
    const size_t opening = find_unclosed(x, tokens);
    if (opening == 0) {
        snprintf(e->message, sizeof e->message,
                 "the program ends in the middle of an expression or statement");
        return;
    }
    uint32_t line, column;
    program_text_locate(&x->text, tokens->token[opening].line, tokens->token[opening].column, &line,
                        &column);
    snprintf(e->message, sizeof e->message,
             "the program ends before the `%.1s` of line %u is closed",
             tokens->tokenizer.text + tokens->token[opening].start, line);
    e->place = (struct place){tokens->token[opening].line, tokens->token[opening].column};
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* A text of one token for a message, in backticks. */
static void name_token(const struct tokens *tokens, size_t i, char *out, size_t size)
{
    char text[48];
    tokens_copy(tokens, i, i, text, sizeof text);
    snprintf(out, size, "`%s`", text);
}

/* The token that a message quotes: the engine's place can be one or two before it. */
static size_t find_token(const struct tokens *tokens, const char *message, size_t at)
{
    const char *from = starts_with(message, "unexpected token in expression: '")
                           ? message + strlen("unexpected token in expression: '")
                       : starts_with(message, "Unexpected token '")
                           ? message + strlen("Unexpected token '")
                           : NULL;
    const char *to = from ? strrchr(from, '\'') : NULL;
    for (size_t i = at; to && i < at + 4 && i < tokens->count; i++) {
        const struct program_token *token = &tokens->token[i];
        if (token->end - token->start == (size_t)(to - from) &&
            memcmp(tokens->tokenizer.text + token->start, from, (size_t)(to - from)) == 0)
            return i;
    }
    return at;
}

/* The engine's message in other words, where those say more. */
static void explain_engine(const struct execution *x, const struct tokens *tokens,
                           const char *message, struct explanation *e)
{
    const size_t at = find_token(tokens, message, tokens_at(tokens, &e->place));
    const size_t unmatched = find_unmatched(x, tokens);
    char token[64], before[64] = "";
    name_token(tokens, at, token, sizeof token);
    if (at > 0)
        name_token(tokens, at - 1, before, sizeof before);
    const bool is_end = ends_before(x, tokens, at);
    if (unmatched > 0 && (at >= unmatched || e->place.line == 0)) {
        name_token(tokens, unmatched, token, sizeof token);
        snprintf(e->message, sizeof e->message, "unexpected %s: nothing is open that it closes",
                 token);
        e->place = (struct place){tokens->token[unmatched].line, tokens->token[unmatched].column};
    } else if (is_end &&
               (starts_with(message, "unexpected token") ||
                starts_with(message, "Unexpected token") || starts_with(message, "expecting '"))) {
        explain_early_end(x, tokens, e);
    } else if (starts_with(message, "expecting ';'") ||
               starts_with(message, "Unexpected identifier") ||
               starts_with(message, "Unexpected string") ||
               starts_with(message, "Unexpected number") ||
               starts_with(message, "Unexpected token")) {
        if (is_word(tokens, at - 1, "await") || is_word(tokens, at - 1, "yield"))
            snprintf(e->message, sizeof e->message,
                     "%s stands in a function that is not async: write `async` before it", before);
        else
            snprintf(e->message, sizeof e->message,
                     "unexpected %s after %s: is a comma, an operator or a bracket missing?", token,
                     before);
    } else if (starts_with(message, "expecting '")) {
        snprintf(e->message, sizeof e->message, "unexpected %s after %s: expected `%.*s`", token,
                 before, (int)strcspn(message + 11, "'"), message + 11);
    } else if (starts_with(message, "unexpected token in expression")) {
        if (is_word(tokens, at - 1, "await"))
            snprintf(e->message, sizeof e->message, "nothing to await before %s", token);
        else
            snprintf(e->message, sizeof e->message,
                     "unexpected %s after %s: an expression is expected there", token, before);
    } else if (starts_with(message, "unexpected end of string")) {
        snprintf(e->message, sizeof e->message,
                 "a string or template is not closed (only `templates` can span lines)");
    } else if (starts_with(message, "invalid redefinition")) {
        snprintf(e->message, sizeof e->message, "%s is declared twice in the same scope", before);
        if (at > 0)
            e->place = (struct place){tokens->token[at - 1].line, tokens->token[at - 1].column};
    } else if (starts_with(message, "variable name expected")) {
        snprintf(e->message, sizeof e->message, "%s cannot be the name of a variable", token);
    } else if (starts_with(message, "missing initializer for")) {
        snprintf(e->message, sizeof e->message, "a `const` needs a value: `const %s = ...`",
                 before[0] ? "name" : "");
    } else if (starts_with(message, "expecting catch or finally")) {
        snprintf(e->message, sizeof e->message, "a `try` block needs a `catch` or a `finally`");
    } else if (starts_with(message, "unsupported keyword") ||
               starts_with(message, "invalid keyword")) {
        snprintf(e->message, sizeof e->message, "%s is not possible here", token);
    } else {
        snprintf(e->message, sizeof e->message, "%s", message);
    }
}

/* The engine gives no place for an error inside a regular expression: the first one that does not
 * compile by itself is it. */
static void find_regular_expression(struct execution *x, const struct tokens *tokens,
                                    const char *message, struct explanation *e)
{
    struct vm *vm = &x->vm;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct program_token *token = &tokens->token[i];
        if (token->type != PROGRAM_TOKEN_REGEXP)
            continue;
        const JSValue value =
            compile(x, tokens->tokenizer.text + token->start, token->end - token->start);
        if (!JS_IsException(value)) {
            JS_FreeValue(vm, value);
            continue;
        }
        JS_FreeValue(vm, JS_GetException(vm));
        char text[64];
        tokens_copy(tokens, i, i, text, sizeof text);
        snprintf(e->message, sizeof e->message, "the regular expression %s is invalid: %s", text,
                 message);
        e->place = (struct place){token->line, token->column};
        return;
    }
    snprintf(e->message, sizeof e->message, "%s", message);
}

/* --- Compiling -----------------------------------------------------------------------------------
 */

/* Turns the failure that failure_of_syntax made of the pending exception into better words. */
static void explain(struct execution *x)
{
    static const char prefix[] = "SyntaxError: ";
    struct failure *failure = &x->failure;
    char message[256];
    snprintf(message, sizeof message, "%.*s", (int)failure->message.length,
             failure->message.length ? failure->message.data : "");
    if (!starts_with(message, prefix))
        return; /* out of stack, say */
    struct explanation e = {.place = x->place};
    if (!explain_typescript(x, &e)) {
        /* While the tokens are held, only expressions that are regular are compiled: nothing of the
         * program runs, so nothing leaves the box for good but the end of the run. */
        struct tokens *tokens = tokens_read(x->text.text, x->text.length);
        if (!tokens)
            return;
        x->scratch = tokens;
        if (e.place.line == 0 && find_unmatched(x, tokens) == 0)
            find_regular_expression(x, tokens, message + sizeof prefix - 1, &e);
        else
            explain_engine(x, tokens, message + sizeof prefix - 1, &e);
        x->scratch = NULL;
        tokens_free(tokens);
    }
    char text[sizeof e.message + sizeof prefix];
    snprintf(text, sizeof text, "%s%s", prefix, e.message);
    failure_say(x, "syntax", text);
    x->place = e.place;
    program_text_locate(&x->text, e.place.line, e.place.column, &failure->line, &failure->column);
}

/* A program such as `}); f(); (function () {` parses only together with what is put around it. It
 * fails within other surroundings, which close differently. */
static bool breaks_out(struct execution *x)
{
    const struct program_text *text = &x->text;
    struct program_tokenizer *tokenizer = malloc(sizeof *tokenizer);
    if (!tokenizer)
        return false;
    bool unmatched = false;
    struct program_token token;
    program_tokenizer_start(tokenizer, text->text + text->body, text->body_length);
    do {
        program_tokenizer_next(tokenizer, &token);
        unmatched |= token.unmatched;
    } while (token.type != PROGRAM_TOKEN_END);
    free(tokenizer);
    return unmatched;
}

static JSValue compile_differently(struct execution *x)
{
    static const char before[] = "({async m(){", after[] = "\n}})";
    static const char before_es5[] = "({m:function(){";
    const struct program_text *text = &x->text;
    x->buffer.length = 0;
    if (x->is_synchronous)
        program_buffer_append(&x->buffer, before_es5, sizeof before_es5 - 1);
    else
        program_buffer_append(&x->buffer, before, sizeof before - 1);
    program_buffer_append(&x->buffer, text->text + text->body, text->body_length);
    program_buffer_append(&x->buffer, after, sizeof after - 1);
    return compile(x, x->buffer.data, x->buffer.length);
}

JSValue syntax_compile(struct execution *x)
{
    if (find_modules(x) || find_newer(x))
        return JS_EXCEPTION;
    JSValue compiled = compile(x, x->text.text, x->text.length);
    bool is_other = false;
    if (!JS_IsException(compiled) && breaks_out(x)) {
        const JSValue other = compile_differently(x);
        is_other = JS_IsException(other);
        if (is_other) {
            JS_FreeValue(&x->vm, compiled);
            compiled = other;
        }
    }
    if (JS_IsException(compiled)) {
        struct program_typescript found;
        x->has_types = !x->is_synchronous && !x->was_erased &&
                       !program_find_unsupported_typescript(x->text.text, x->text.length, &found) &&
                       program_find_typescript(x->text.text, x->text.length, &found);
        failure_of_syntax(x);
        if (is_other)
            x->place = (struct place){0, 0};
        explain(x);
    }
    return compiled;
}
