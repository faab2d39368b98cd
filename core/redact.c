#include "core/redact.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A credential that was found at some place: what stands before it and stays, and its length. */
struct match {
    size_t keep;
    size_t drop;
};

/* The text from the place that is looked at, and what stood before it ('\0': nothing). */
struct view {
    const char *text;
    size_t size;
    char before;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_alnum(char c)
{
    return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z');
}

static bool is_name(char c)
{
    return is_alnum(c) || c == '_' || c == '-' || c == '.';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

static bool is_base64url(char c)
{
    return is_alnum(c) || c == '_' || c == '-';
}

static bool starts(const struct view *view, const char *word)
{
    size_t length = strlen(word);
    return view->size >= length && memcmp(view->text, word, length) == 0;
}

static bool starts_nocase(const struct view *view, const char *word)
{
    size_t length = strlen(word);
    return view->size >= length && strncasecmp(view->text, word, length) == 0;
}

static size_t span(const struct view *view, size_t from, bool (*is)(char))
{
    size_t end = from;
    while (end < view->size && is(view->text[end]))
        end++;
    return end - from;
}

static bool has_digit(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (is_digit(text[i]))
            return true;
    return false;
}

/* --- PEM blocks --------------------------------------------------------------------------- */

/* Everything between the lines BEGIN and END; to the end of the text where that is cut off. */
static bool match_pem(const struct view *view, struct match *match)
{
    static const char begin[] = "-----BEGIN ", end[] = "-----END ";
    if (!starts(view, begin))
        return false;
    const char *line_end =
        memmem(view->text + sizeof(begin) - 1, view->size - sizeof(begin) + 1, "-----", 5);
    if (line_end == NULL)
        return false;
    match->keep = (size_t)(line_end - view->text) + 5;
    const char *close =
        memmem(line_end, view->size - (size_t)(line_end - view->text), end, sizeof(end) - 1);
    match->drop = (close != NULL ? (size_t)(close - view->text) : view->size) - match->keep;
    return match->drop > 0;
}

/* A tail can begin inside a block: then everything before its END line is part of it. */
static size_t headless_pem(const char *text, size_t size)
{
    const char *end = memmem(text, size, "-----END ", 9);
    if (end == NULL || memmem(text, (size_t)(end - text), "-----BEGIN ", 11) != NULL)
        return 0;
    return (size_t)(end - text);
}

/* --- URLs --------------------------------------------------------------------------------- */

/* scheme://user:PASSWORD@host, https://TOKEN@host */
static bool match_url(const struct view *view, struct match *match)
{
    if (!starts(view, "://"))
        return false;
    size_t at = 0, colon = 0;
    for (size_t i = 3; i < view->size; i++) {
        char c = view->text[i];
        if (is_space(c) || strchr("/?#\"'<>", c) != NULL)
            break;
        if (c == '@')
            at = i;
        else if (c == ':' && colon == 0)
            colon = i;
    }
    if (at == 0)
        return false;
    if (colon == 0 || colon > at) {
        /* A lone name is a credential only in http: ssh://git@host is none. */
        if (view->before != 'p' && view->before != 's')
            return false;
        colon = 2;
    }
    match->keep = colon + 1;
    match->drop = at - match->keep;
    return match->drop > 0;
}

/* --- Names and their values --------------------------------------------------------------- */

/* How telling a name is. */
enum telling {
    TELLS_NOTHING,
    TELLS_ASSIGNED, /* only in `key=value`: "key: value" may be plain prose */
    TELLS_ALWAYS,   /* in `password: value` too */
    TELLS_LINE,     /* the rest of the line is the value */
};

static bool contains_nocase(const char *text, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (strncasecmp(text + i, word, length) == 0)
            return true;
    return false;
}

/* Whether a name ends in a word that stands for itself: `key`, `api_key`, `apiKey`, `apikey`, not
 * `monkey`. *alone: there is nothing before the word. */
static bool ends_in_word(const char *name, size_t size, const char *word, bool *alone)
{
    static const char *const heads[] = {"api", "access", "auth", "secret", "private", "account"};
    size_t length = strlen(word);
    if (size < length || strncasecmp(name + size - length, word, length) != 0)
        return false;
    size_t before = size - length;
    *alone = before == 0;
    if (*alone || !is_alnum(name[before - 1]))
        return true;
    if (is_upper(name[before]) && !is_upper(name[before - 1]))
        return true;
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        size_t head = strlen(heads[i]);
        if (before >= head && strncasecmp(name + before - head, heads[i], head) == 0)
            return true;
    }
    return false;
}

static enum telling judge_name(const char *name, size_t size)
{
    static const char *const anywhere[] = {"password", "passwd", "passphrase", "secret"};
    static const char *const last[] = {"key", "token", "pwd", "credential", "credentials"};
    static const char *const lines[] = {"authorization", "cookie"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (size >= strlen(lines[i]) &&
            strncasecmp(name + size - strlen(lines[i]), lines[i], strlen(lines[i])) == 0)
            return TELLS_LINE;
    for (size_t i = 0; i < sizeof(anywhere) / sizeof(anywhere[0]); i++)
        if (contains_nocase(name, size, anywhere[i]))
            return TELLS_ALWAYS;
    for (size_t i = 0; i < sizeof(last) / sizeof(last[0]); i++) {
        bool alone;
        if (ends_in_word(name, size, last[i], &alone))
            return alone ? TELLS_ASSIGNED : TELLS_ALWAYS;
    }
    return TELLS_NOTHING;
}

/* A quotation mark at a place, perhaps with the backslash of a string in a string. */
static size_t quote_length(const struct view *view, size_t at)
{
    size_t length = at < view->size && view->text[at] == '\\' ? 1 : 0;
    return at + length < view->size && strchr("\"'", view->text[at + length]) != NULL &&
                   view->text[at + length] != '\0'
               ? length + 1
               : 0;
}

/* Where the value that begins at `from` ends. */
static size_t value_end(const struct view *view, size_t from, char quote, enum telling telling)
{
    size_t end = from;
    for (; end < view->size; end++) {
        char c = view->text[end];
        if (c == '\n' || c == '\0')
            break;
        if (quote != '\0') {
            if (c == quote)
                break;
            if (c == '\\' && end + 1 < view->size) {
                if (view->text[end + 1] == quote)
                    break; /* ends a string in a string, or is part of the value: no matter */
                end++;
            }
            continue;
        }
        if (c == '"' || c == '\'')
            break;
        if (telling != TELLS_LINE && (is_space(c) || c == '&' || c == ';'))
            break;
    }
    return end < view->size ? end : view->size;
}

static bool match_named(const struct view *view, struct match *match)
{
    if (is_name(view->before))
        return false;
    size_t length = span(view, 0, is_name);
    if (length == 0 || length > 128)
        return false;
    enum telling telling = judge_name(view->text, length);
    if (telling == TELLS_NOTHING)
        return false;
    size_t at = length, quoted = quote_length(view, at);
    at += quoted;
    while (at < view->size && (view->text[at] == ' ' || view->text[at] == '\t'))
        at++;
    if (at >= view->size || (view->text[at] != '=' && view->text[at] != ':'))
        return false;
    /* "open /etc/passwd: ..." is a path, "unexpected token: ..." is prose. */
    if (view->text[at] == ':' && quoted == 0 &&
        (telling == TELLS_ASSIGNED || view->before == '/' || view->before == '\\'))
        return false;
    at++;
    while (at < view->size && (view->text[at] == ' ' || view->text[at] == '\t'))
        at++;
    size_t opening = quote_length(view, at);
    char quote = opening > 0 ? view->text[at + opening - 1] : '\0';
    match->keep = at + opening;
    match->drop = value_end(view, match->keep, quote, telling) - match->keep;
    return match->drop > 0;
}

/* --- Tokens ------------------------------------------------------------------------------- */

static bool match_bearer(const struct view *view, struct match *match)
{
    if (is_alnum(view->before) || !starts_nocase(view, "bearer "))
        return false;
    match->keep = 7;
    match->drop = 0;
    while (match->keep + match->drop < view->size &&
           (is_base64url(view->text[match->keep + match->drop]) ||
            strchr(".~+/=", view->text[match->keep + match->drop]) != NULL))
        match->drop++;
    /* "bearer authentication failed" is prose. */
    return match->drop >= 20 || (match->drop >= 6 && has_digit(view->text + 7, match->drop));
}

static bool is_upper_or_digit(char c)
{
    return is_upper(c) || is_digit(c);
}

/* Keys that their issuers made recognisable: a prefix, and so many characters at least. */
static bool match_prefixed(const struct view *view, struct match *match)
{
    static const struct {
        const char *prefix;
        bool (*is)(char);
        size_t least;
        bool digit; /* one must be a digit, as the prefix alone could begin a plain name */
    } keys[] = {
        {"AKIA", is_upper_or_digit, 16, false}, {"ASIA", is_upper_or_digit, 16, false},
        {"ghp_", is_alnum, 20, false},          {"gho_", is_alnum, 20, false},
        {"ghu_", is_alnum, 20, false},          {"ghs_", is_alnum, 20, false},
        {"ghr_", is_alnum, 20, false},          {"github_pat_", is_base64url, 20, false},
        {"glpat-", is_base64url, 16, false},    {"xoxa-", is_base64url, 10, true},
        {"xoxb-", is_base64url, 10, true},      {"xoxp-", is_base64url, 10, true},
        {"xoxr-", is_base64url, 10, true},      {"xoxs-", is_base64url, 10, true},
        {"AIza", is_base64url, 30, false},      {"sk_live_", is_alnum, 16, false},
        {"rk_live_", is_alnum, 16, false},      {"sk-", is_base64url, 16, true},
    };
    if (is_alnum(view->before))
        return false;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!starts(view, keys[i].prefix))
            continue;
        /* The digit is looked for nearby only: the work must not grow with the square of the text.
         */
        size_t prefix = strlen(keys[i].prefix), near = 0;
        while (near < 64 && prefix + near < view->size && keys[i].is(view->text[prefix + near]))
            near++;
        if (near < keys[i].least || (keys[i].digit && !has_digit(view->text + prefix, near)))
            continue;
        size_t length = span(view, prefix, keys[i].is);
        match->keep = 0;
        match->drop = prefix + length;
        return true;
    }
    return false;
}

/* eyJ….eyJ….signature */
static bool match_jwt(const struct view *view, struct match *match)
{
    if (is_base64url(view->before) || !starts(view, "eyJ"))
        return false;
    size_t header = span(view, 0, is_base64url);
    if (header < 10 || header >= view->size || view->text[header] != '.')
        return false;
    size_t payload = span(view, header + 1, is_base64url);
    if (payload < 4)
        return false;
    size_t end = header + 1 + payload;
    if (end < view->size && view->text[end] == '.')
        end += 1 + span(view, end + 1, is_base64url);
    match->keep = 0;
    match->drop = end;
    return true;
}

/* --- The whole text ----------------------------------------------------------------------- */

static bool find(const struct view *view, struct match *match)
{
    return match_pem(view, match) || match_url(view, match) || match_named(view, match) ||
           match_bearer(view, match) || match_prefixed(view, match) || match_jwt(view, match);
}

struct output {
    char *text;
    size_t size, capacity;
};

static bool append(struct output *output, const char *text, size_t size)
{
    if (output->capacity - output->size <= size) {
        size_t capacity = (output->size + size + 64) * 2;
        char *grown = realloc(output->text, capacity);
        if (grown == NULL)
            return false;
        output->text = grown;
        output->capacity = capacity;
    }
    memcpy(output->text + output->size, text, size);
    output->size += size;
    output->text[output->size] = '\0';
    return true;
}

char *redact(const char *text, size_t size, size_t *result_size)
{
    struct output output = {0};
    size_t at = headless_pem(text, size);
    bool good = append(&output, REDACTED, at > 0 ? sizeof(REDACTED) - 1 : 0);
    size_t copied = at; /* up to where the text went to the output */
    while (at < size && good) {
        struct view view = {text + at, size - at, at > 0 ? text[at - 1] : '\0'};
        struct match match;
        if (!find(&view, &match)) {
            at++;
            continue;
        }
        good = append(&output, text + copied, at + match.keep - copied) &&
               append(&output, REDACTED, sizeof(REDACTED) - 1);
        at = copied = at + match.keep + match.drop;
    }
    if (!good || !append(&output, text + copied, size - copied)) {
        free(output.text);
        return NULL;
    }
    *result_size = output.size;
    return output.text;
}
