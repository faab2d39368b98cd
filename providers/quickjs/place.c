#include "place.h"

#include <string.h>

static bool opens_call(const struct tokens *tokens, size_t i)
{
    return is_mark(tokens, i, "(") && i > 0 &&
           (tokens->token[i].bracket == PROGRAM_IN_ARGUMENTS || is_mark(tokens, i - 1, "?."));
}

static void set(struct place *place, const struct tokens *tokens, size_t i)
{
    place->line = tokens->token[i].line;
    place->column = tokens->token[i].column;
}

/* Inside a function where the engine knows no place it gives the beginning of the function's line.
 */
static bool is_function_line(const struct tokens *tokens, const struct place *place)
{
    if (place->column != 1)
        return false;
    if (place->line == 1)
        return true;
    for (size_t i = tokens_at(tokens, place);
         i < tokens->count && tokens->token[i].line == place->line; i++) {
        if (is_mark(tokens, i, "=>") || is_mark(tokens, i, "{"))
            return true;
    }
    return false;
}

/* --- Calls ---------------------------------------------------------------------------------------
 */

/* The opening bracket of the call at the place; 0: there is none. The engine's place is the
 * callee's last name, the bracket, or the first argument when that stands on another line. */
static size_t find_call(const struct tokens *tokens, const struct place *place)
{
    const size_t at = tokens_at(tokens, place);
    if (opens_call(tokens, at))
        return at;
    if (opens_call(tokens, at + 1))
        return at + 1;
    if (at > 0 && opens_call(tokens, at - 1))
        return at - 1;
    for (size_t i = at; i < tokens->count && i < at + 64 && !is_mark(tokens, i, ";"); i++) {
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

void place_of_call(const char *text, size_t length, struct place *place, char *callee, size_t size)
{
    callee[0] = '\0';
    struct tokens *tokens = place->line == 0 ? NULL : tokens_read(text, length);
    if (!tokens)
        return;
    const size_t call = find_call(tokens, place);
    if (call > 0) {
        size_t end = call - 1;
        if (end > 0 && is_mark(tokens, end, "?."))
            end--;
        tokens_copy(tokens, find_chain(tokens, end), end, callee, size);
        set(place, tokens, is_name(tokens, end) ? end : call);
    } else if (is_function_line(tokens, place)) {
        *place = (struct place){0, 0};
    }
    tokens_free(tokens);
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

/* --- Assignments ---------------------------------------------------------------------------------
 */

static bool is_assigned(const struct tokens *tokens, size_t i)
{
    static const char *const marks[] = {
        "=",    "+=", "-=", "*=", "/=",  "%=",  "**=",  "<<=", ">>=",
        ">>>=", "&=", "|=", "^=", "&&=", "||=", "?\?=", "++",  "--"};
    if (i > 0 && (is_mark(tokens, i - 1, "++") || is_mark(tokens, i - 1, "--")))
        return true;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        if (is_mark(tokens, i + 1, marks[k]))
            return true;
    }
    return false;
}

/* The engine's place is often the next one that it knows behind the assignment. */
void place_of_assignment(const char *text, size_t length, struct place *place, const char *name)
{
    struct tokens *tokens = place->line == 0 ? NULL : tokens_read(text, length);
    if (!tokens)
        return;
    for (size_t i = tokens_at(tokens, place) + 1; i-- > 0;) {
        const bool is_declared =
            i > 0 && (is_word(tokens, i - 1, "const") || is_word(tokens, i - 1, "class"));
        if (is_declared || !is_name(tokens, i) || !is_text(tokens, i, name) ||
            !is_assigned(tokens, i))
            continue;
        set(place, tokens, i);
        break;
    }
    tokens_free(tokens);
}

/* --- Patterns and iteration ----------------------------------------------------------------------
 */

/* Whether what begins at token `i` can be what cannot be taken apart. Most literals can. */
static bool may_fail(const struct tokens *tokens, size_t i)
{
    if (is_mark(tokens, i, "["))
        return false;
    const enum program_token_type type = tokens->token[i].type;
    return type != PROGRAM_TOKEN_STRING && type != PROGRAM_TOKEN_TEMPLATE;
}

/* Whether token `i` is what comes before a value that is iterated over, or with `close` "}" before
 * one whose properties are taken: `of`, `...`, or the end of a pattern and `=`. Then *named is the
 * token that names the place. */
static bool takes_apart(const struct tokens *tokens, size_t i, const char *close, size_t *named)
{
    const bool is_iteration = close[0] == ']';
    if (is_iteration && (is_word(tokens, i, "of") || is_mark(tokens, i, "..."))) {
        *named = i + 1;
        return may_fail(tokens, i + 1);
    }
    if (!is_mark(tokens, i, close) || !is_mark(tokens, i + 1, "="))
        return false;
    *named = find_opening(tokens, i);
    return may_fail(tokens, i + 2);
}

/* The engine's place is that of the value, or when a literal or a plain name is taken apart, of
 * whatever came before it in the function: then the first one that follows is meant. */
static void place_of_parts(const struct tokens *tokens, struct place *place, const char *close)
{
    const bool is_unknown = is_function_line(tokens, place);
    const size_t at = tokens_at(tokens, place);
    size_t named;
    for (size_t i = at; !is_unknown && i > 0; i--) {
        if (takes_apart(tokens, i - 1, close, &named)) {
            set(place, tokens, named);
            return;
        }
        if (is_mark(tokens, i - 1, ")") || is_mark(tokens, i - 1, "]") ||
            is_mark(tokens, i - 1, "}"))
            i = find_opening(tokens, i - 1) + 1;
        else if (is_mark(tokens, i - 1, ";") || is_mark(tokens, i - 1, "{") ||
                 is_mark(tokens, i - 1, ","))
            break;
    }
    for (size_t i = at; i + 1 < tokens->count; i++) {
        if (takes_apart(tokens, i, close, &named)) {
            set(place, tokens, named);
            return;
        }
    }
    if (is_unknown)
        *place = (struct place){0, 0};
}

void place_of_property(const char *text, size_t length, struct place *place, const char *name)
{
    struct tokens *tokens = place->line == 0 ? NULL : tokens_read(text, length);
    if (!tokens)
        return;
    size_t i = tokens_at(tokens, place);
    while (i < tokens->count && !reads_property(tokens, i, name))
        i++;
    if (i < tokens->count)
        set(place, tokens, i);
    else if (name[0] == '\0' || is_function_line(tokens, place))
        place_of_parts(tokens, place, "}");
    tokens_free(tokens);
}

void place_of_iteration(const char *text, size_t length, struct place *place)
{
    struct tokens *tokens = place->line == 0 ? NULL : tokens_read(text, length);
    if (!tokens)
        return;
    place_of_parts(tokens, place, "]");
    tokens_free(tokens);
}

/* --- Errors that something made ------------------------------------------------------------------
 */

/* Whether the token is the end of a callee with that name: `name`, `x.name` or `x["name"]`. */
static bool is_callee(const struct tokens *tokens, size_t end, const char *name)
{
    if (is_mark(tokens, end, "]") && end >= 2)
        return is_text(tokens, end - 1, name);
    return is_text(tokens, end, name);
}

/* Whether the call whose bracket is token `i` makes the error; then its place is *made. */
static bool makes_error(const struct tokens *tokens, size_t i, const char *maker, size_t *made)
{
    if (!opens_call(tokens, i))
        return false;
    size_t end = i - 1;
    if (is_mark(tokens, end, "?."))
        end--;
    const size_t start = find_chain(tokens, end);
    const bool is_new = start > 0 && is_word(tokens, start - 1, "new");
    *made = maker || !is_new ? end : start - 1;
    if (maker)
        return is_callee(tokens, end, maker);
    const struct program_token *token = &tokens->token[end];
    return is_new || (token->end - token->start >= 5 &&
                      memcmp(tokens->tokenizer.text + token->end - 5, "Error", 5) == 0);
}

/* The call that made the error: the one at the place, or one whose arguments the place lies in,
 * since the engine gives the place of the last name before it calls. */
static bool find_maker(const struct tokens *tokens, size_t at, const char *maker, size_t *made)
{
    if (makes_error(tokens, at, maker, made) || makes_error(tokens, at + 1, maker, made) ||
        (is_mark(tokens, at, ".") && makes_error(tokens, at + 2, maker, made)))
        return true;
    if (!maker && at > 0 && is_word(tokens, at - 1, "new")) {
        *made = at - 1; /* without arguments */
        return true;
    }
    size_t depth = 0;
    for (size_t i = at; i-- > 0;) {
        if (is_mark(tokens, i, ")") || is_mark(tokens, i, "]") || is_mark(tokens, i, "}")) {
            depth++;
        } else if (is_mark(tokens, i, "(") || is_mark(tokens, i, "[") || is_mark(tokens, i, "{")) {
            if (depth > 0)
                depth--;
            else if (makes_error(tokens, i, maker, made))
                return true;
            else if (tokens->token[i].bracket == PROGRAM_IN_FUNCTION)
                return false;
        } else if (depth == 0 && is_mark(tokens, i, ";")) {
            return false;
        }
    }
    return false;
}

void place_of_error(const char *text, size_t length, struct place *place, const char *maker)
{
    struct tokens *tokens = place->line == 0 ? NULL : tokens_read(text, length);
    if (!tokens)
        return;
    size_t at = tokens_at(tokens, place);
    size_t made;
    if (find_maker(tokens, at, maker, &made)) {
        set(place, tokens, made);
    } else if (is_function_line(tokens, place)) {
        *place = (struct place){0, 0};
    } else if (at >= 2 && opens_call(tokens, at - 1) && is_name(tokens, at - 2) &&
               tokens->token[at].newline_before) {
        set(place, tokens, at - 2);
    } else if (tokens->token[at].line == place->line) {
        /* Some of the engine's columns are one too small. */
        set(place, tokens, is_mark(tokens, at, ".") || is_mark(tokens, at, "?.") ? at + 1 : at);
    }
    tokens_free(tokens);
}
