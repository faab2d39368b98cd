#include "prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "token.h"
#include "utf8.h"

#define INSERTION "return "

/* ---- characters ---- */

static int fail(struct program_error *error, const char *text, size_t length, size_t offset)
{
    program_place_at(text, length, offset, &error->line, &error->column);
    return PROGRAM_E_SYNTAX;
}

static int check_characters(const char *source, size_t length, struct program_error *error)
{
    const char *zero = memchr(source, 0, length);
    size_t valid = program_utf8_check(source, length);
    if (zero != NULL && (size_t)(zero - source) < valid) {
        snprintf(error->message, sizeof error->message,
                 "the program contains the character U+0000; in a string, write \\0 instead");
        return fail(error, source, length, (size_t)(zero - source));
    }
    if (valid < length) {
        snprintf(error->message, sizeof error->message,
                 "the program is not valid UTF-8: byte 0x%02X at offset %zu",
                 (unsigned char)source[valid], valid);
        return fail(error, source, length, valid);
    }
    return 0;
}

/* Copies the text with every line end but U+2028 and U+2029 made into LF. Returns its length. */
static size_t copy_lines(char *to, const char *from, size_t length)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (from[i] == '\r' && i + 1 < length && from[i + 1] == '\n')
            continue;
        to[used++] = from[i] == '\r' ? '\n' : from[i];
    }
    return used;
}

/* ---- Markdown ---- */

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

/* Whether the fence at `mark` is one, and not a part of a comment or a template of a program. In a
 * program, three backticks cannot stand between tokens; in a comment they can, so there what comes
 * before is judged: does it read as a program, or as prose? */
static bool is_markdown(const char *text, size_t length, size_t mark)
{
    struct program_tokenizer t;
    struct program_token token, previous = {.type = PROGRAM_TOKEN_END};
    program_tokenizer_start(&t, text, length);
    for (;;) {
        program_tokenizer_next(&t, &token);
        if (token.start == mark)
            return true;
        if (token.type == PROGRAM_TOKEN_END || token.end > mark)
            return false;
        if (token.type == PROGRAM_TOKEN_ERROR)
            return true;
        if (token.type == PROGRAM_TOKEN_NAME && previous.type == PROGRAM_TOKEN_NAME &&
            token.position == PROGRAM_AT_OPERATOR && !token.newline_before &&
            !may_adjoin(&t, &previous, &token))
            return true;
        previous = token;
    }
}

static bool is_all_blank(const char *text, size_t start, size_t end)
{
    while (start < end && (is_blank(text[start]) || text[start] == '\n'))
        start++;
    return start == end;
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
    fail(error, text, length, mark);
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

/* Reduces Markdown to the program in it; *length becomes the new length. */
static int unwrap_fences(char *text, size_t *length, bool *is_fenced, struct program_error *error)
{
    struct fence first, fence, other = {0};
    struct block found[2] = {{0}};          /* by FENCE_PROGRAM, FENCE_UNMARKED: the first one */
    size_t count[2] = {0}, second[2] = {0}; /* how many, and where the second one is */
    size_t next;
    if (!find_fence(text, *length, 0, &first) || !is_markdown(text, *length, first.mark))
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
        /* A closing fence whose opening fence was cut off. */
        if (fence.line_start == first.line_start && !block.is_closed &&
            is_all_blank(text, block.start, block.end))
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

/* ---- the shape of the program ---- */

/* Reads a program's tokens to find out whether it is one function and nothing else. */
enum shape_state {
    SHAPE_BEGIN,
    SHAPE_DIRECTIVE,  /* behind a string */
    SHAPE_ASYNC,      /* behind `async` */
    SHAPE_FUNCTION,   /* behind `function` */
    SHAPE_NAME,       /* behind one name: only `=>` can follow */
    SHAPE_HEAD,       /* behind the `)` of parameters */
    SHAPE_TYPE,       /* in TypeScript's type of what an arrow function returns */
    SHAPE_ARROW,      /* behind `=>` */
    SHAPE_GROUP,      /* in or behind parentheses at the start */
    SHAPE_EXPRESSION, /* in the rest of an expression, which ends the program */
    SHAPE_DONE,       /* behind it */
    SHAPE_OTHER,      /* it is something else */
};

struct shape {
    enum shape_state state;
    bool has_start;
    bool must_be_called;   /* it begins with `await` */
    bool groups_function;  /* the parentheses contain a function */
    size_t start;          /* offset of the function */
    uint32_t line, column; /* of the same */
    bool is_empty;
    size_t last_end;  /* offset behind the last token */
    bool has_export;  /* `export` was the previous token */
    bool has_default; /* `export default` has been found */
    struct program_token export_token, default_token;
};

static enum shape_state begin_shape(const struct program_tokenizer *t,
                                    const struct program_token *token, struct shape *shape)
{
    if (token->type == PROGRAM_TOKEN_STRING && !shape->has_start)
        return SHAPE_DIRECTIVE;
    if (!shape->has_start) {
        shape->has_start = true;
        shape->start = token->start;
        shape->line = token->line;
        shape->column = token->column;
    }
    if (token->awaits && !shape->must_be_called) {
        shape->must_be_called = true;
        return SHAPE_BEGIN;
    }
    if (program_token_is_mark(t, token, "("))
        return SHAPE_GROUP;
    if (shape->must_be_called || token->type != PROGRAM_TOKEN_NAME)
        return SHAPE_OTHER;
    if (program_token_is(t, token, "async"))
        return SHAPE_ASYNC;
    if (program_token_is(t, token, "function"))
        return SHAPE_FUNCTION;
    return SHAPE_NAME;
}

/* `depth` is that of the text around the token. */
static enum shape_state next_shape(const struct program_tokenizer *t,
                                   const struct program_token *token, size_t depth,
                                   struct shape *shape)
{
    const bool ends = program_token_is_mark(t, token, ";");
    switch (shape->state) {
    case SHAPE_BEGIN:
        return begin_shape(t, token, shape);
    case SHAPE_DIRECTIVE:
        if (ends)
            return SHAPE_BEGIN;
        return token->position == PROGRAM_AT_STATEMENT ? begin_shape(t, token, shape) : SHAPE_OTHER;
    case SHAPE_ASYNC:
        if (depth > 0 || program_token_is_mark(t, token, "("))
            return SHAPE_ASYNC;
        if (program_token_is_mark(t, token, ")"))
            return SHAPE_HEAD;
        if (token->type != PROGRAM_TOKEN_NAME || token->newline_before)
            return SHAPE_OTHER;
        return program_token_is(t, token, "function") ? SHAPE_FUNCTION : SHAPE_NAME;
    case SHAPE_FUNCTION:
        if (depth > 0)
            return SHAPE_FUNCTION;
        if (token->type == PROGRAM_TOKEN_PUNCTUATOR && token->bracket == PROGRAM_IN_FUNCTION &&
            t->text[token->start] == '}')
            return SHAPE_DONE;
        return program_token_is_mark(t, token, "*") || ends ? SHAPE_OTHER : SHAPE_FUNCTION;
    case SHAPE_NAME:
        return program_token_is_mark(t, token, "=>") ? SHAPE_ARROW : SHAPE_OTHER;
    case SHAPE_HEAD:
        if (program_token_is_mark(t, token, ":"))
            return SHAPE_TYPE;
        return program_token_is_mark(t, token, "=>") ? SHAPE_ARROW : SHAPE_OTHER;
    case SHAPE_TYPE:
        if (ends)
            return SHAPE_OTHER;
        return depth == 0 && program_token_is_mark(t, token, "=>") ? SHAPE_ARROW : SHAPE_TYPE;
    case SHAPE_ARROW:
        if (token->bracket == PROGRAM_IN_FUNCTION && depth == 0 &&
            program_token_is_mark(t, token, "{"))
            return SHAPE_ARROW;
        if (depth > 0)
            return SHAPE_ARROW;
        if (token->bracket == PROGRAM_IN_FUNCTION && program_token_is_mark(t, token, "}"))
            return SHAPE_DONE;
        return SHAPE_EXPRESSION;
    case SHAPE_GROUP:
        if (depth == 1 &&
            (program_token_is_word(t, token, "function") || program_token_is_mark(t, token, "=>")))
            shape->groups_function = true;
        if (depth > 0 || program_token_is_mark(t, token, ")"))
            return SHAPE_GROUP;
        if (program_token_is_mark(t, token, "=>"))
            return shape->must_be_called ? SHAPE_OTHER : SHAPE_ARROW;
        if (program_token_is_mark(t, token, ":") && !shape->groups_function)
            return SHAPE_TYPE;
        if (shape->groups_function && program_token_is_mark(t, token, "("))
            return SHAPE_EXPRESSION;
        return shape->groups_function && ends ? SHAPE_DONE : SHAPE_OTHER;
    case SHAPE_EXPRESSION:
        if (depth > 0)
            return SHAPE_EXPRESSION;
        if (ends)
            return SHAPE_DONE;
        return token->position == PROGRAM_AT_STATEMENT ? SHAPE_OTHER : SHAPE_EXPRESSION;
    case SHAPE_DONE:
        return ends ? SHAPE_DONE : SHAPE_OTHER;
    case SHAPE_OTHER:
        break;
    }
    return SHAPE_OTHER;
}

static void find_export(const struct program_tokenizer *t, const struct program_token *token,
                        struct shape *shape)
{
    if (shape->has_default)
        return;
    if (shape->has_export) {
        shape->has_export = false;
        if (program_token_is(t, token, "default") && !token->newline_before) {
            shape->has_default = true;
            shape->default_token = *token;
        }
    } else if (token->bracket == PROGRAM_IN_PROGRAM && token->position == PROGRAM_AT_STATEMENT &&
               program_token_is_word(t, token, "export")) {
        shape->has_export = true;
        shape->export_token = *token;
    }
}

static void read_shape(const char *text, size_t length, struct shape *shape)
{
    struct program_tokenizer t;
    struct program_token token;
    *shape = (struct shape){.state = SHAPE_BEGIN, .is_empty = true};
    program_tokenizer_start(&t, text, length);
    for (;;) {
        size_t depth = t.depth;
        program_tokenizer_next(&t, &token);
        if (token.type == PROGRAM_TOKEN_END)
            break;
        if (t.depth < depth)
            depth = t.depth;
        shape->is_empty = false;
        shape->last_end = token.end;
        find_export(&t, &token, shape);
        if (token.unmatched)
            shape->state = SHAPE_OTHER;
        if (shape->state != SHAPE_OTHER)
            shape->state = next_shape(&t, &token, depth, shape);
    }
    if (t.depth > 0 || shape->has_default)
        shape->state = SHAPE_OTHER;
    else if (shape->state == SHAPE_EXPRESSION ||
             (shape->state == SHAPE_GROUP && shape->groups_function && !shape->must_be_called))
        shape->state = SHAPE_DONE;
}

/* ---- the interface ---- */

static size_t length_of(const char *text)
{
    return text != NULL ? strlen(text) : 0;
}

/* `text->text` holds the prefix and, from `body` on, the program, with room for an insertion. */
static void shape_body(struct program_text *text)
{
    char *body = text->text + text->body;
    struct shape shape;
    read_shape(body, text->body_length, &shape);
    text->is_empty = shape.is_empty;
    program_place_at(body, text->body_length, shape.last_end, &text->last_line, &text->last_column);
    if (text->body_length >= 2 && memcmp(body, "#!", 2) == 0)
        memcpy(body, "//", 2);
    if (shape.has_default) {
        memcpy(body + shape.export_token.start, "return", 6);
        memcpy(body + shape.default_token.start, "void 0,", 7);
        text->calls_result = true;
    } else if (shape.state == SHAPE_DONE && shape.has_start) {
        const size_t inserted = strlen(INSERTION);
        memmove(body + shape.start + inserted, body + shape.start, text->body_length - shape.start);
        memcpy(body + shape.start, INSERTION, inserted);
        text->body_length += inserted;
        text->insertion_line = shape.line;
        text->insertion_column = shape.column;
        text->insertion_columns = (uint32_t)inserted;
        text->calls_result = true;
    }
}

int program_prepare(const char *source, size_t length, const struct program_options *options,
                    struct program_text *text, struct program_error *error)
{
    const char *prefix = options != NULL && options->prefix != NULL ? options->prefix : "";
    const char *suffix = options != NULL && options->suffix != NULL ? options->suffix : "";
    const size_t prefix_length = length_of(prefix), suffix_length = length_of(suffix);
    size_t limit =
        options != NULL && options->source_max > 0 ? options->source_max : PROGRAM_SOURCE_MAX;
    uint32_t line, column;
    int status;

    *text = (struct program_text){0};
    *error = (struct program_error){{0}, 0, 0};
    if (length > limit) {
        snprintf(error->message, sizeof error->message,
                 "the program is %zu bytes long; at most %zu are accepted", length, limit);
        return PROGRAM_E_SYNTAX;
    }
    if (length >= 3 && memcmp(source, "\xEF\xBB\xBF", 3) == 0) {
        source += 3;
        length -= 3;
    }
    if (length > 0 && (status = check_characters(source, length, error)) < 0)
        return status;
    text->text = malloc(prefix_length + length + strlen(INSERTION) + suffix_length + 1);
    if (text->text == NULL)
        return PROGRAM_E_MEMORY;
    memcpy(text->text, prefix, prefix_length);
    text->body = prefix_length;
    text->body_length = copy_lines(text->text + text->body, source, length);
    status = unwrap_fences(text->text + text->body, &text->body_length, &text->is_fenced, error);
    if (status < 0) {
        program_text_release(text);
        return status;
    }
    program_place_at(prefix, prefix_length, prefix_length, &line, &column);
    text->prefix_lines = line - 1;
    text->prefix_columns = column - 1;
    shape_body(text);
    memcpy(text->text + text->body + text->body_length, suffix, suffix_length + 1);
    text->length = text->body + text->body_length + suffix_length;
    return 0;
}

bool program_text_locate(const struct program_text *text, uint32_t line, uint32_t column,
                         uint32_t *model_line, uint32_t *model_column)
{
    *model_line = *model_column = 0;
    if (line <= text->prefix_lines)
        return false;
    line -= text->prefix_lines;
    if (line == 1 && column > 0) {
        if (column <= text->prefix_columns)
            return false;
        column -= text->prefix_columns;
    }
    if (line == text->insertion_line && column > text->insertion_column) {
        uint32_t over = column - text->insertion_column;
        column -= over < text->insertion_columns ? over : text->insertion_columns;
    }
    if (line > text->last_line || (line == text->last_line && column > text->last_column)) {
        column = column > 0 ? text->last_column : 0;
        line = text->last_line;
    }
    *model_line = line;
    *model_column = column;
    return true;
}

void program_text_release(struct program_text *text)
{
    free(text->text);
    *text = (struct program_text){0};
}
