#include "token.h"

#include <string.h>

#include "context.h"
#include "scan.h"
#include "utf8.h"
#include "word.h"

/* The longest come first. */
static const char *const marks[] = {
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "?\?=",
    "=>",   "==",  "!=",  "<=",  ">=",  "&&",  "||",  "??",  "?.",  "++",  "--",
    "+=",   "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "<<",  ">>",  "**",
};

/* ---- lines and columns ---- */

static void new_line(struct program_tokenizer *t, size_t begins)
{
    t->line++;
    t->column = 1;
    t->column_offset = begins;
}

/* Counts the lines that end in a piece of text which has just been read. */
static void count_lines(struct program_tokenizer *t, size_t start, size_t end)
{
    while (start < end) {
        size_t width = scan_line_end(t, start);
        if (width > 0 && start + width <= end)
            new_line(t, start + width);
        start += width > 0 ? width : 1;
    }
}

static void settle_column(struct program_tokenizer *t, size_t offset)
{
    for (; t->column_offset < offset; t->column_offset++)
        t->column += (scan_at(t, t->column_offset) & 0xC0) != 0x80;
}

/* ---- one token each ---- */

static void set_error(struct program_token *token, size_t end, const char *problem)
{
    token->type = PROGRAM_TOKEN_ERROR;
    token->end = end;
    token->problem = problem;
}

static size_t rest_of_line(const struct program_tokenizer *t, size_t offset)
{
    while (offset < t->length && scan_line_end(t, offset) == 0)
        offset++;
    return offset;
}

/* The semicolon that may be left out at the end of a line, before a token that cannot continue an
 * expression. */
static void insert_semicolon(struct program_tokenizer *t, struct program_token *token)
{
    const struct program_frame *frame = context_top(t);
    if (token->position == PROGRAM_AT_OPERATOR && token->newline_before &&
        context_holds_statements(frame->bracket) && frame->body == BODY_NONE &&
        frame->function == FUNCTION_NONE && frame->classes == 0) {
        context_end_statement(t);
        token->position = t->position;
    }
}

/* A string or a number can also be the name of a member. */
static void begin_literal(struct program_tokenizer *t, struct program_token *token)
{
    insert_semicolon(t, token);
    if (token->position == PROGRAM_AT_MEMBER) {
        token->property_name = true;
        context_top(t)->named = 1;
    }
}

static void read_string(struct program_tokenizer *t, struct program_token *token)
{
    char quote = t->text[token->start];
    size_t offset = token->start + 1;
    begin_literal(t, token);
    t->position = PROGRAM_AT_OPERATOR;
    token->type = PROGRAM_TOKEN_STRING;
    while (offset < t->length) {
        char c = t->text[offset];
        if (c == quote) {
            token->end = offset + 1;
            return;
        }
        if (c == '\n' || c == '\r')
            break;
        if (c == '\\') {
            size_t width = scan_line_end(t, offset + 1);
            offset += width > 0 ? width : 1;
        }
        offset++;
    }
    set_error(token, offset < t->length ? offset : t->length, "this string is not closed");
}

/* A piece of a template from its backtick or closing brace on. */
static void read_template(struct program_tokenizer *t, struct program_token *token)
{
    size_t offset = token->start + 1;
    token->type = PROGRAM_TOKEN_TEMPLATE;
    while (offset < t->length) {
        char c = t->text[offset];
        if (c == '`') {
            token->end = offset + 1;
            t->position = PROGRAM_AT_OPERATOR;
            return;
        }
        if (c == '$' && scan_at(t, offset + 1) == '{') {
            token->end = offset + 2;
            context_push(t, PROGRAM_IN_TEMPLATE, PROGRAM_AT_OPERATOR, BODY_NONE);
            t->position = PROGRAM_AT_OPERAND;
            return;
        }
        offset += c == '\\' ? 2 : 1;
    }
    set_error(token, t->length, "this template literal is not closed");
    t->position = PROGRAM_AT_OPERATOR;
}

static void read_regexp(struct program_tokenizer *t, struct program_token *token)
{
    size_t offset = token->start + 1;
    bool in_class = false;
    token->type = PROGRAM_TOKEN_REGEXP;
    t->position = PROGRAM_AT_OPERATOR;
    while (offset < t->length && scan_line_end(t, offset) == 0) {
        char c = t->text[offset];
        if (c == '\\' && offset + 1 < t->length && scan_line_end(t, offset + 1) == 0)
            offset++;
        else if (c == '[')
            in_class = true;
        else if (c == ']')
            in_class = false;
        else if (c == '/' && !in_class) {
            token->end = scan_name_end(t, offset + 1);
            return;
        }
        offset++;
    }
    set_error(token, rest_of_line(t, offset), "this regular expression is not closed");
}

static size_t skip_name_characters(const struct program_tokenizer *t, size_t offset)
{
    while (offset < t->length && scan_is_ascii_name(scan_at(t, offset)))
        offset++;
    return offset;
}

static void read_number(struct program_tokenizer *t, struct program_token *token)
{
    size_t offset = token->start;
    bool prefixed = scan_at(t, offset) == '0' && strchr("xXoObB", scan_at(t, offset + 1)) &&
                    scan_at(t, offset + 1) != 0;
    begin_literal(t, token);
    token->type = PROGRAM_TOKEN_NUMBER;
    t->position = PROGRAM_AT_OPERATOR;
    if (prefixed) {
        token->end = skip_name_characters(t, offset);
        return;
    }
    /* Letters that cannot belong to the number stay part of it: `3px` is one mistake. */
    for (;;) {
        offset = skip_name_characters(t, offset);
        unsigned char last = offset > token->start ? scan_at(t, offset - 1) : 0;
        unsigned char c = scan_at(t, offset);
        if ((c == '+' || c == '-') && (last == 'e' || last == 'E') &&
            scan_is_digit(scan_at(t, offset + 1)))
            offset++;
        else if (c == '.' && memchr(t->text + token->start, '.', offset - token->start) == NULL)
            offset++;
        else
            break;
    }
    token->end = offset;
}

/* A name at a place where an object literal or a class may have a member. */
static void read_member_name(struct program_tokenizer *t, struct program_token *token)
{
    bool newline = false;
    size_t next = scan_space(t, token->end, &newline);
    unsigned char c = scan_at(t, next);
    struct program_frame *frame = context_top(t);
    token->position = PROGRAM_AT_MEMBER;
    if (word_is_modifier(t, token->start, token->end) && next < t->length &&
        (scan_name_part(t, next) > 0 || c == '"' || c == '\'' || c == '[' || c == '#' || c == '*' ||
         c == '{')) {
        t->position = PROGRAM_AT_MEMBER;
        return;
    }
    t->position = PROGRAM_AT_OPERATOR;
    frame->named = 1;
    if (frame->bracket != PROGRAM_IN_OBJECT || c == ':' || c == '(' || c == '<' || c == '?')
        token->property_name = true;
    else if (c == ',' || c == '}' || (c == '=' && scan_at(t, next + 1) != '='))
        token->shorthand = true;
}

static void read_word(struct program_tokenizer *t, struct program_token *token, enum word word)
{
    struct program_frame *frame = context_top(t);
    bool newline = false;
    size_t next = scan_space(t, token->end, &newline);

    t->position = PROGRAM_AT_OPERATOR;
    switch (word) {
    case WORD_OTHER:
    case WORD_AS:
    case WORD_CATCH:
    case WORD_HEADER:
    case WORD_SWITCH:
    case WORD_FOR:
        break;
    case WORD_DECLARE:
        token->declares = true;
        t->position = PROGRAM_AT_OPERAND;
        break;
    case WORD_LET:
        if (scan_begins_name(t, next)) {
            enum word following = word_find(t, next, scan_name_end(t, next));
            token->declares = following != WORD_BINARY && following != WORD_OF;
        } else {
            token->declares =
                scan_at(t, next) == '{' || (scan_at(t, next) == '[' && next > token->end);
        }
        if (token->declares)
            t->position = PROGRAM_AT_OPERAND;
        break;
    case WORD_BINARY:
    case WORD_OPERAND:
    case WORD_RETURN:
        t->position = PROGRAM_AT_OPERAND;
        break;
    case WORD_STATEMENT:
        t->position = PROGRAM_AT_STATEMENT;
        break;
    case WORD_OF:
        if (frame->for_header && token->position == PROGRAM_AT_OPERATOR)
            t->position = PROGRAM_AT_OPERAND;
        break;
    case WORD_FUNCTION:
        frame->function =
            token->position == PROGRAM_AT_STATEMENT ? FUNCTION_DECLARATION : FUNCTION_EXPRESSION;
        break;
    case WORD_CLASS:
        if (frame->classes == 0)
            frame->class_declares = token->position == PROGRAM_AT_STATEMENT;
        if (frame->classes < 7)
            frame->classes++;
        t->position = PROGRAM_AT_OPERAND;
        break;
    case WORD_ASYNC: /* async function stands where function does */
        if (!newline && scan_is(t, next, scan_name_end(t, next), "function"))
            t->position = token->position;
        break;
    case WORD_AWAIT:
        if (t->previous_word == WORD_FUNCTION || t->previous_word == WORD_CLASS ||
            t->previous.declares)
            t->await_is_name = true;
        if (frame->bracket == PROGRAM_IN_PARAMETERS && !word_begins_operand(t, next))
            t->await_is_name = true;
        if (t->previous_word != WORD_FOR && !t->await_is_name &&
            token->position != PROGRAM_AT_OPERATOR && word_begins_operand(t, next)) {
            token->awaits = true;
            t->position = PROGRAM_AT_OPERAND;
        }
        break;
    case WORD_YIELD:
        if (word_begins_operand(t, next) && !newline)
            t->position = PROGRAM_AT_OPERAND;
        break;
    case WORD_EXPORT:
        t->position = scan_at(t, next) == '{' ? PROGRAM_AT_OPERAND : PROGRAM_AT_STATEMENT;
        break;
    case WORD_DEFAULT:
        if (t->previous_word == WORD_EXPORT)
            t->position = scan_begins_name(t, next) ? PROGRAM_AT_STATEMENT : PROGRAM_AT_OPERAND;
        break;
    }
}

static void read_name(struct program_tokenizer *t, struct program_token *token)
{
    struct program_frame *frame = context_top(t);
    enum word word, before = t->previous_word;
    token->type = PROGRAM_TOKEN_NAME;
    token->end = scan_name_end(t, token->start);
    t->previous_word = WORD_OTHER;
    if (context_previous_is(t, ".") || context_previous_is(t, "?.")) {
        token->property_name = true;
        t->position = PROGRAM_AT_OPERATOR;
        return;
    }
    word = word_find(t, token->start, token->end);
    if (token->position == PROGRAM_AT_MEMBER ||
        (frame->bracket == PROGRAM_IN_CLASS && token->position == PROGRAM_AT_OPERATOR &&
         token->newline_before && word != WORD_BINARY)) {
        read_member_name(t, token);
        return;
    }
    t->previous_word = before;
    if (word != WORD_BINARY && word != WORD_AS)
        insert_semicolon(t, token);
    read_word(t, token, word);
    if (!(word == WORD_AWAIT && before == WORD_FOR)) /* for await ( */
        t->previous_word = word;
}

static void read_private(struct program_tokenizer *t, struct program_token *token)
{
    size_t end = scan_name_end(t, token->start + 1);
    if (end == token->start + 1 || scan_is_digit(scan_at(t, token->start + 1))) {
        set_error(token, token->start + 1, "`#` begins no name here");
        return;
    }
    token->type = PROGRAM_TOKEN_PRIVATE;
    token->end = end;
    token->property_name = true;
    if (context_top(t)->bracket == PROGRAM_IN_CLASS && token->newline_before)
        token->position = PROGRAM_AT_MEMBER;
    if (token->position == PROGRAM_AT_MEMBER)
        context_top(t)->named = 1;
    t->position = PROGRAM_AT_OPERATOR;
}

static size_t mark_length(const struct program_tokenizer *t, size_t offset)
{
    size_t available = t->length - offset;
    unsigned char second = scan_at(t, offset + 1);
    if (second == 0 || strchr("=.&|?*+-<>", second) == NULL)
        return 1;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t length = strlen(marks[i]);
        if (length <= available && memcmp(t->text + offset, marks[i], length) == 0) {
            if (strcmp(marks[i], "?.") == 0 && scan_is_digit(scan_at(t, offset + 2)))
                return 1; /* x?.5:1 */
            return length;
        }
    }
    return 1;
}

static void read_mark(struct program_tokenizer *t, struct program_token *token)
{
    struct program_frame *frame = context_top(t);
    const char first = t->text[token->start];
    size_t length = mark_length(t, token->start);
    token->type = PROGRAM_TOKEN_PUNCTUATOR;
    token->end = token->start + length;
    if (length > 1) {
        bool doubled = first == t->text[token->start + 1] && (first == '+' || first == '-');
        bool postfix = doubled && length == 2 && token->position == PROGRAM_AT_OPERATOR &&
                       !token->newline_before;
        if (!postfix)
            t->position = PROGRAM_AT_OPERAND;
        return;
    }
    switch (first) {
    case '(':
        context_open_parenthesis(t, token);
        token->bracket = context_top(t)->bracket;
        return;
    case '[':
        context_open_bracket(t, token);
        token->bracket = context_top(t)->bracket;
        return;
    case '{':
        context_open_brace(t, token);
        token->bracket = context_top(t)->bracket;
        return;
    case ')':
    case ']':
    case '}':
        context_close_bracket(t, token, first);
        return;
    case ';':
        context_end_statement(t);
        return;
    case ',':
        frame->named = 0;
        t->position = frame->bracket == PROGRAM_IN_OBJECT ? PROGRAM_AT_MEMBER : PROGRAM_AT_OPERAND;
        return;
    case ':':
        context_colon(t);
        return;
    case '?':
        if (frame->questions < 1023 && !frame->named)
            frame->questions++;
        t->position = PROGRAM_AT_OPERAND;
        return;
    case '=':
        frame->named = 0;
        t->position = PROGRAM_AT_OPERAND;
        return;
    case '*': /* of a generator: `function*`, `{*name() {}}` */
        if (token->position != PROGRAM_AT_MEMBER && frame->function == FUNCTION_NONE)
            t->position = PROGRAM_AT_OPERAND;
        return;
    case '!': /* TypeScript: `x!.y` */
        if (token->position == PROGRAM_AT_OPERATOR && !token->newline_before)
            return;
        t->position = PROGRAM_AT_OPERAND;
        return;
    case '@':
        return;
    default:
        t->position = PROGRAM_AT_OPERAND;
        return;
    }
}

static void read_unknown(struct program_tokenizer *t, struct program_token *token)
{
    uint32_t code_point;
    size_t width =
        program_utf8_decode(t->text + token->start, t->length - token->start, &code_point);
    if (width == 0)
        set_error(token, token->start + 1, "this byte is not UTF-8");
    else if (code_point >= 0x2018 && code_point <= 0x201F)
        set_error(token, token->start + width, "a typographic quote; write ' or \"");
    else
        set_error(token, token->start + width, "this character means nothing here");
}

static void read_token(struct program_tokenizer *t, struct program_token *token)
{
    const unsigned char c = scan_at(t, token->start);
    const enum word before = t->previous_word;
    bool keeps_word = false;
    if (c == '}' && t->too_deep == 0 && context_top(t)->bracket == PROGRAM_IN_TEMPLATE) {
        t->depth--;
        token->bracket = PROGRAM_IN_TEMPLATE;
        read_template(t, token);
    } else if (scan_begins_name(t, token->start)) {
        read_name(t, token);
        keeps_word = true;
    } else if (scan_is_digit(c) || (c == '.' && scan_is_digit(scan_at(t, token->start + 1)))) {
        read_number(t, token);
    } else if (c == '"' || c == '\'') {
        read_string(t, token);
    } else if (c == '`') {
        read_template(t, token);
    } else if (c == '#') {
        read_private(t, token);
    } else if (c == '/' && scan_at(t, token->start + 1) == '*') {
        set_error(token, t->length, "this comment is not closed");
    } else if (c == '/' &&
               (token->position == PROGRAM_AT_STATEMENT || token->position == PROGRAM_AT_OPERAND)) {
        read_regexp(t, token);
    } else if (c != 0 && strchr("{}()[];,<>+-*/%&|^!~?:=.@", c)) {
        read_mark(t, token);
    } else {
        read_unknown(t, token);
        t->previous_word = before;
        return;
    }
    if (!keeps_word)
        t->previous_word = WORD_OTHER;
}

/* ---- the interface ---- */

void program_tokenizer_start(struct program_tokenizer *t, const char *text, size_t length)
{
    /* Not the whole array of frames: it is large, and each is set when it is pushed. */
    memset(t, 0, offsetof(struct program_tokenizer, frames));
    t->text = text;
    t->length = length;
    t->line = 1;
    t->column = 1;
    t->position = PROGRAM_AT_STATEMENT;
    t->frames[0] = (struct program_frame){.bracket = PROGRAM_IN_PROGRAM};
}

void program_tokenizer_next(struct program_tokenizer *t, struct program_token *token)
{
    bool newline = false;
    size_t start = scan_space(t, t->offset, &newline);
    if (newline)
        count_lines(t, t->offset, start);
    settle_column(t, start);
    if (t->previous_word == WORD_RETURN && newline)
        context_end_statement(t); /* nothing is returned */
    *token = (struct program_token){
        .type = PROGRAM_TOKEN_END,
        .position = t->position,
        .bracket = context_top(t)->bracket,
        .newline_before = newline,
        .start = start,
        .end = start,
        .line = t->line,
        .column = t->column,
    };
    if (start < t->length)
        read_token(t, token);
    if (token->type == PROGRAM_TOKEN_TEMPLATE || token->type == PROGRAM_TOKEN_STRING ||
        token->type == PROGRAM_TOKEN_ERROR)
        count_lines(t, token->start, token->end);
    t->offset = token->end;
    t->previous = *token;
}

void program_place_at(const char *text, size_t length, size_t offset, uint32_t *line,
                      uint32_t *column)
{
    struct program_tokenizer t;
    program_tokenizer_start(&t, text, length);
    count_lines(&t, 0, offset);
    settle_column(&t, offset);
    *line = t.line;
    *column = t.column;
}

bool program_token_is(const struct program_tokenizer *t, const struct program_token *token,
                      const char *text)
{
    return scan_is(t, token->start, token->end, text);
}

bool program_token_is_word(const struct program_tokenizer *t, const struct program_token *token,
                           const char *word)
{
    return token->type == PROGRAM_TOKEN_NAME && !token->property_name &&
           scan_is(t, token->start, token->end, word);
}

bool program_token_is_mark(const struct program_tokenizer *t, const struct program_token *token,
                           const char *mark)
{
    return token->type == PROGRAM_TOKEN_PUNCTUATOR && scan_is(t, token->start, token->end, mark);
}
