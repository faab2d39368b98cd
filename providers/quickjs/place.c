#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "providers/program/token.h"

/* Larger programs keep the engine's own places. */
#define MAX_TOKENS 500000u

struct tokens {
    struct program_tokenizer tokenizer; /* large, and needed to look at the tokens */
    struct program_token *token;
    size_t count, at; /* `at`: the first one at or behind the place */
};

static bool is_before(const struct program_token *token, const struct place *place)
{
    return token->line < place->line ||
           (token->line == place->line && token->column < place->column);
}

/* NULL: no memory, too many, or no place. */
static struct tokens *read_tokens(const char *text, size_t length, const struct place *place)
{
    if (place->line == 0)
        return NULL;
    struct tokens *tokens = calloc(1, sizeof *tokens);
    if (!tokens)
        return NULL;
    size_t capacity = 0;
    program_tokenizer_start(&tokens->tokenizer, text, length);
    for (;;) {
        struct program_token token;
        program_tokenizer_next(&tokens->tokenizer, &token);
        if (tokens->count == capacity) {
            capacity = capacity ? capacity * 2 : 256;
            struct program_token *grown =
                capacity > MAX_TOKENS ? NULL : realloc(tokens->token, capacity * sizeof *grown);
            if (!grown) {
                free(tokens->token);
                free(tokens);
                return NULL;
            }
            tokens->token = grown;
        }
        tokens->token[tokens->count++] = token;
        if (token.type == PROGRAM_TOKEN_END)
            break;
    }
    while (tokens->at + 1 < tokens->count && is_before(&tokens->token[tokens->at], place))
        tokens->at++;
    return tokens;
}

static void free_tokens(struct tokens *tokens)
{
    free(tokens->token);
    free(tokens);
}

static bool is_mark(const struct tokens *tokens, size_t i, const char *mark)
{
    return i < tokens->count && tokens->token[i].type == PROGRAM_TOKEN_PUNCTUATOR &&
           program_token_is_mark(&tokens->tokenizer, &tokens->token[i], mark);
}

static bool is_word(const struct tokens *tokens, size_t i, const char *word)
{
    return i < tokens->count && tokens->token[i].type == PROGRAM_TOKEN_NAME &&
           program_token_is_word(&tokens->tokenizer, &tokens->token[i], word);
}

static bool is_name(const struct tokens *tokens, size_t i)
{
    return i < tokens->count && (tokens->token[i].type == PROGRAM_TOKEN_NAME ||
                                 tokens->token[i].type == PROGRAM_TOKEN_PRIVATE);
}

static bool opens_call(const struct tokens *tokens, size_t i)
{
    return is_mark(tokens, i, "(") && i > 0 && tokens->token[i].bracket == PROGRAM_IN_ARGUMENTS;
}

static void set(struct place *place, const struct tokens *tokens, size_t i)
{
    place->line = tokens->token[i].line;
    place->column = tokens->token[i].column;
}

/* The engine gives the beginning of a function when it knows no place inside it. */
static bool is_function_start(const struct tokens *tokens, const struct place *place)
{
    const struct program_token *token = &tokens->token[tokens->at];
    if (token->line != place->line || token->column != place->column)
        return false;
    return is_word(tokens, tokens->at, "function") || is_word(tokens, tokens->at, "async") ||
           (place->line == 1 && place->column == 1);
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

/* The opening bracket of the call at the place; 0: there is none. The engine's place is the
 * callee's last name, the bracket, or the first argument when that stands on another line. */
static size_t find_call(const struct tokens *tokens)
{
    const size_t at = tokens->at;
    if (opens_call(tokens, at))
        return at;
    if (opens_call(tokens, at + 1))
        return at + 1;
    if (at > 0 && opens_call(tokens, at - 1))
        return at - 1;
    for (size_t i = at; i < tokens->count && i < at + 64; i++) {
        if (opens_call(tokens, i))
            return i;
    }
    return 0;
}

/* The bracket that token `i` closes. */
static size_t find_opening(const struct tokens *tokens, size_t i)
{
    size_t depth = 0;
    for (;; i--) {
        if (is_mark(tokens, i, ")") || is_mark(tokens, i, "]") || is_mark(tokens, i, "}"))
            depth++;
        else if (is_mark(tokens, i, "(") || is_mark(tokens, i, "[") || is_mark(tokens, i, "{"))
            depth--;
        if (depth == 0 || i == 0)
            return i;
    }
}

/* The first token of the chain of members and calls that ends at token `i`. */
static size_t find_chain(const struct tokens *tokens, size_t i)
{
    for (;;) {
        if (is_mark(tokens, i, ")") || is_mark(tokens, i, "]")) {
            i = find_opening(tokens, i);
            if (i == 0 || (!is_name(tokens, i - 1) && !is_mark(tokens, i - 1, ")") &&
                           !is_mark(tokens, i - 1, "]")))
                return i;
            i--;
            continue;
        }
        if (i >= 2 && (is_mark(tokens, i - 1, ".") || is_mark(tokens, i - 1, "?.")))
            i -= 2;
        else
            return i;
    }
}

/* The text from one token to another, white space shrunk. */
static void copy_text(const struct tokens *tokens, size_t from, size_t to, char *out, size_t size)
{
    const char *text = tokens->tokenizer.text;
    size_t length = 0;
    for (size_t i = from; i <= to; i++) {
        const struct program_token *token = &tokens->token[i];
        for (size_t at = token->start; at < token->end; at++) {
            if (length + 4 >= size) {
                snprintf(out + length, size - length, "...");
                return;
            }
            out[length++] = text[at] == '\n' ? ' ' : text[at];
        }
    }
    out[length] = '\0';
}

void place_of_call(const char *text, size_t length, struct place *place, char *callee, size_t size)
{
    callee[0] = '\0';
    struct tokens *tokens = read_tokens(text, length, place);
    if (!tokens)
        return;
    const size_t call = find_call(tokens);
    if (call > 0) {
        size_t end = call - 1;
        if (end > 0 && is_mark(tokens, end, "?."))
            end--;
        copy_text(tokens, find_chain(tokens, end), end, callee, size);
        set(place, tokens, is_name(tokens, end) ? end : call);
    } else if (is_function_start(tokens, place)) {
        *place = (struct place){0, 0};
    }
    free_tokens(tokens);
}

/* --- Properties ----------------------------------------------------------------------------------
 */

static bool is_text(const struct tokens *tokens, size_t i, const char *name)
{
    const struct program_token *token = &tokens->token[i];
    const size_t size = strlen(name);
    const char *start = tokens->tokenizer.text + token->start;
    if (token->type == PROGRAM_TOKEN_STRING)
        return token->end - token->start == size + 2 && memcmp(start + 1, name, size) == 0;
    return is_name(tokens, i) && token->end - token->start == size &&
           memcmp(start, name, size) == 0;
}

static bool reads_property(const struct tokens *tokens, size_t i, const char *name)
{
    if (i == 0)
        return false;
    const bool is_member = is_mark(tokens, i - 1, ".") || is_mark(tokens, i - 1, "?.");
    const bool is_element = is_mark(tokens, i - 1, "[") && is_mark(tokens, i + 1, "]");
    if (name[0] != '\0' && is_text(tokens, i, name))
        return is_member || is_element || tokens->token[i].shorthand ||
               tokens->token[i].property_name;
    return false;
}

void place_of_property(const char *text, size_t length, struct place *place, const char *name)
{
    struct tokens *tokens = read_tokens(text, length, place);
    if (!tokens)
        return;
    for (size_t i = tokens->at; i < tokens->count; i++) {
        if (reads_property(tokens, i, name)) {
            set(place, tokens, i);
            free_tokens(tokens);
            return;
        }
    }
    /* A computed name, or a pattern: `{a} = null`. */
    if (is_function_start(tokens, place)) {
        size_t i = tokens->at;
        while (i < tokens->count && !(is_mark(tokens, i, "}") && is_mark(tokens, i + 1, "=")))
            i++;
        if (i < tokens->count)
            set(place, tokens, find_opening(tokens, i));
        else
            *place = (struct place){0, 0};
    }
    free_tokens(tokens);
}

void place_of_iteration(const char *text, size_t length, struct place *place)
{
    struct tokens *tokens = read_tokens(text, length, place);
    if (!tokens)
        return;
    size_t i = tokens->at;
    while (i < tokens->count && !is_word(tokens, i, "of") && !is_mark(tokens, i, "...") &&
           !(is_mark(tokens, i, "]") && is_mark(tokens, i + 1, "=")))
        i++;
    if (i + 1 < tokens->count && is_function_start(tokens, place))
        set(place, tokens, is_mark(tokens, i, "]") ? find_opening(tokens, i) : i + 1);
    else if (is_function_start(tokens, place))
        *place = (struct place){0, 0};
    free_tokens(tokens);
}

/* --- Anything else -------------------------------------------------------------------------------
 */

void place_of_error(const char *text, size_t length, struct place *place)
{
    struct tokens *tokens = read_tokens(text, length, place);
    if (!tokens)
        return;
    const size_t at = tokens->at;
    if (is_function_start(tokens, place))
        *place = (struct place){0, 0};
    else if (at >= 2 && opens_call(tokens, at - 1) && is_name(tokens, at - 2) &&
             tokens->token[at].newline_before)
        set(place, tokens, at - 2);
    free_tokens(tokens);
}
