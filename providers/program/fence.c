#include "fence.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "token.h"

enum fence_language { FENCE_PROGRAM, FENCE_UNMARKED, FENCE_OTHER };

struct fence {
    size_t line_start, mark, line_end; /* offsets: of the line, of its first mark, behind its LF */
    char character;
    size_t count;
    const char *info; /* the first word behind the marks */
    int info_length;
};

struct block {
    size_t start, end; /* what is fenced */
    size_t mark;       /* offset of the opening fence */
    bool is_closed;
};

static enum fence_language fence_language(const struct fence *fence)
{
    static const char *const names[] = {
        "js",         "javascript", "mjs", "cjs", "jsx", "es6",    "ecmascript",    "node",
        "typescript", "ts",         "mts", "cts", "tsx", "nodejs", "javascript-es5"};
    if (fence->info_length == 0)
        return FENCE_UNMARKED;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == (size_t)fence->info_length &&
            strncasecmp(names[i], fence->info, (size_t)fence->info_length) == 0)
            return FENCE_PROGRAM;
    return FENCE_OTHER;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_info(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '+' || c == '#' || c == '_';
}

/* Whether the line at `offset` is a fence. line_end is set in any case. */
static bool read_fence(const char *text, size_t length, size_t offset, struct fence *fence)
{
    const char *newline = memchr(text + offset, '\n', length - offset);
    size_t end = newline != NULL ? (size_t)(newline - text) : length;
    size_t at = offset;
    *fence = (struct fence){.line_start = offset, .line_end = newline != NULL ? end + 1 : end};
    while (at < end && is_blank(text[at]))
        at++;
    if (at == end || (text[at] != '`' && text[at] != '~'))
        return false;
    fence->mark = at;
    fence->character = text[at];
    for (; at < end && text[at] == fence->character; at++)
        fence->count++;
    while (at < end && (is_blank(text[at]) || text[at] == '{' || text[at] == '.'))
        at++;
    fence->info = text + at;
    if (fence->count < 3 || memchr(text + at, '`', end - at) != NULL)
        return false;
    while (at < end && is_info(text[at]))
        at++;
    fence->info_length = (int)(text + at - fence->info);
    if (fence->info_length == 0 && at < end) /* more than white space, but no word */
        return false;
    /* `~~~x` could be a program. */
    return fence->character == '`' || fence_language(fence) != FENCE_OTHER;
}

static bool find_fence(const char *text, size_t length, size_t offset, struct fence *fence)
{
    while (offset < length) {
        if (read_fence(text, length, offset, fence))
            return true;
        offset = fence->line_end;
    }
    return false;
}

/* The end of the block that `open` opens, and of its closing fence. */
static struct block read_block(const char *text, size_t length, const struct fence *open,
                               size_t *next)
{
    struct block block = {.start = open->line_end, .end = length, .mark = open->mark};
    struct fence close;
    size_t offset = open->line_end;
    while (find_fence(text, length, offset, &close)) {
        offset = close.line_end;
        if (close.character == open->character && close.count >= open->count &&
            close.info_length == 0) {
            block.end = close.line_start;
            block.is_closed = true;
            *next = offset;
            return block;
        }
    }
    *next = length;
    return block;
}

/* Whether two names that stand side by side, as in prose, can do so in a program. */
static bool may_adjoin(const struct program_tokenizer *t, const struct program_token *left,
                       const struct program_token *right)
{
    static const char *const before[] = {"abstract",  "async",  "break",    "continue", "declare",
                                         "enum",      "for",    "function", "get",      "interface",
                                         "namespace", "module", "set",      "static",   "type"};
    static const char *const behind[] = {"as",         "extends", "from", "implements", "in",
                                         "instanceof", "is",      "of",   "satisfies"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (program_token_is(t, left, before[i]))
            return true;
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        if (program_token_is(t, right, behind[i]))
            return true;
    return false;
}

/* What stands before the fence at `mark`. In a program, three backticks cannot stand between
 * tokens, but they can inside a comment or, in part, a template; there only the words before them
 * tell. */
enum before_fence {
    BEFORE_PROSE,
    BEFORE_PROGRAM, /* or nothing; the fence is one */
    BEFORE_INSIDE,  /* a program that the fence is a part of: none */
};

static enum before_fence judge_before(const char *text, size_t length, size_t mark)
{
    struct program_tokenizer t;
    struct program_token token, previous = {.type = PROGRAM_TOKEN_END};
    program_tokenizer_start(&t, text, length);
    for (;;) {
        program_tokenizer_next(&t, &token);
        if (token.start == mark)
            return BEFORE_PROGRAM;
        if (token.start > mark || token.type == PROGRAM_TOKEN_END)
            return BEFORE_INSIDE; /* a comment */
        if (token.type == PROGRAM_TOKEN_ERROR)
            return BEFORE_PROSE;
        if (token.end > mark) /* three backticks would end a template, so it is none */
            return token.type == PROGRAM_TOKEN_TEMPLATE ? BEFORE_PROSE : BEFORE_INSIDE;
        if (token.type == PROGRAM_TOKEN_NAME && previous.type == PROGRAM_TOKEN_NAME &&
            token.position == PROGRAM_AT_OPERATOR && !token.newline_before &&
            !may_adjoin(&t, &previous, &token))
            return BEFORE_PROSE;
        previous = token;
    }
}

static bool is_all_blank(const char *text, size_t start, size_t end)
{
    while (start < end && (is_blank(text[start]) || text[start] == '\n'))
        start++;
    return start == end;
}

/* Whether the first fence is a closing one whose opening fence was cut off: nothing, or only prose,
 * follows a program. */
static bool lacks_opening(const char *text, const struct block *block, enum before_fence before)
{
    return !block->is_closed && !is_all_blank(text, 0, block->mark) &&
           (before == BEFORE_PROGRAM || is_all_blank(text, block->start, block->end));
}

/* Removes text but for its line ends. Returns how much is left, moved to its start. */
static size_t blank(char *text, size_t length)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n') {
            text[used++] = '\n';
        } else if (i + 2 < length && memcmp(text + i, "\xE2\x80", 2) == 0 &&
                   (text[i + 2] & '\xFE') == '\xA8') {
            memmove(text + used, text + i, 3); /* U+2028, U+2029 */
            used += 3;
            i += 2;
        }
    }
    return used;
}

static int fence_error(struct program_error *error, const char *text, size_t length, size_t mark,
                       size_t programs, const struct fence *other)
{
    program_place_at(text, length, mark, &error->line, &error->column);
    if (programs > 1)
        snprintf(error->message, sizeof error->message,
                 "the text contains %zu fenced programs, the second one here; send exactly one",
                 programs);
    else
        snprintf(error->message, sizeof error->message,
                 "the fenced text is marked as \"%.*s\"; a JavaScript program is expected",
                 other->info_length > 40 ? 40 : other->info_length, other->info);
    return PROGRAM_E_SYNTAX;
}

int program_unwrap_fences(char *text, size_t *length, bool *is_fenced, struct program_error *error)
{
    struct fence first, fence, other = {0};
    struct block found[2] = {{0}};          /* by FENCE_PROGRAM, FENCE_UNMARKED: the first one */
    size_t count[2] = {0}, second[2] = {0}; /* how many, and where the second one is */
    size_t next;
    if (!find_fence(text, *length, 0, &first))
        return 0;
    const enum before_fence before = judge_before(text, *length, first.mark);
    if (before == BEFORE_INSIDE)
        return 0;
    *is_fenced = true;
    next = first.line_start;
    while (find_fence(text, *length, next, &fence)) {
        struct block block = read_block(text, *length, &fence, &next);
        enum fence_language language = fence_language(&fence);
        if (language == FENCE_OTHER) {
            if (other.count == 0)
                other = fence;
            continue;
        }
        if (fence.line_start == first.line_start && language == FENCE_UNMARKED &&
            lacks_opening(text, &block, before))
            block = (struct block){.start = 0, .end = fence.line_start};
        count[language]++;
        if (count[language] == 1)
            found[language] = block;
        else if (count[language] == 2)
            second[language] = block.mark;
    }
    enum fence_language chosen = count[FENCE_PROGRAM] > 0 ? FENCE_PROGRAM : FENCE_UNMARKED;
    if (count[chosen] != 1)
        return fence_error(error, text, *length, count[chosen] > 0 ? second[chosen] : other.mark,
                           count[chosen], &other);
    struct block block = found[chosen];
    size_t kept = blank(text, block.start);
    memmove(text + kept, text + block.start, block.end - block.start);
    *length = kept + (block.end - block.start);
    return 0;
}
