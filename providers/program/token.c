#include "token.h"

#include <string.h>

#include "utf8.h"

/* What a word does to the text behind it. */
enum word {
    WORD_OTHER, /* an identifier, or a word such as `this` that ends an expression */
    WORD_AS,
    WORD_ASYNC,
    WORD_AWAIT,
    WORD_BINARY, /* in, instanceof */
    WORD_CATCH,
    WORD_CLASS,
    WORD_DECLARE, /* var, const */
    WORD_DEFAULT,
    WORD_EXPORT,
    WORD_FOR,
    WORD_FUNCTION,
    WORD_HEADER, /* if, while, with: parentheses, then a statement */
    WORD_LET,
    WORD_OF,
    WORD_OPERAND, /* an expression follows */
    WORD_RETURN,
    WORD_STATEMENT, /* a statement follows */
    WORD_SWITCH,
    WORD_YIELD,
};

static const struct {
    const char *text;
    enum word word;
} words[] = {
    {"as", WORD_AS},           {"async", WORD_ASYNC},
    {"await", WORD_AWAIT},     {"case", WORD_OPERAND},
    {"catch", WORD_CATCH},     {"class", WORD_CLASS},
    {"const", WORD_DECLARE},   {"default", WORD_DEFAULT},
    {"delete", WORD_OPERAND},  {"do", WORD_STATEMENT},
    {"else", WORD_STATEMENT},  {"export", WORD_EXPORT},
    {"extends", WORD_OPERAND}, {"finally", WORD_STATEMENT},
    {"for", WORD_FOR},         {"function", WORD_FUNCTION},
    {"if", WORD_HEADER},       {"import", WORD_OPERAND},
    {"in", WORD_BINARY},       {"instanceof", WORD_BINARY},
    {"let", WORD_LET},         {"new", WORD_OPERAND},
    {"of", WORD_OF},           {"return", WORD_RETURN},
    {"satisfies", WORD_AS},    {"switch", WORD_SWITCH},
    {"throw", WORD_OPERAND},   {"try", WORD_STATEMENT},
    {"typeof", WORD_OPERAND},  {"var", WORD_DECLARE},
    {"void", WORD_OPERAND},    {"while", WORD_HEADER},
    {"with", WORD_HEADER},     {"yield", WORD_YIELD},
};

/* Which body comes behind a closing parenthesis, or is due in a bracket. */
enum body { BODY_NONE, BODY_BLOCK, BODY_DECLARATION, BODY_EXPRESSION, BODY_METHOD };

enum function { FUNCTION_NONE, FUNCTION_DECLARATION, FUNCTION_EXPRESSION };

/* Words that stand before a member's name. The second half is TypeScript's. */
static const char *const modifiers[] = {"get",     "set",      "async",     "static",
                                        "public",  "private",  "protected", "readonly",
                                        "declare", "abstract", "override",  "accessor"};

/* The longest come first. */
static const char *const marks[] = {
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "?\?=",
    "=>",   "==",  "!=",  "<=",  ">=",  "&&",  "||",  "??",  "?.",  "++",  "--",
    "+=",   "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "<<",  ">>",  "**",
};

/* ---- characters ---- */

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_ascii_name(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

static bool is_wide_space(uint32_t c)
{
    return c == 0xA0 || c == 0xFEFF || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

/* An approximation of ID_Continue that errs on the side of accepting: the engine is the judge. What
 * it must keep out is what models put in by mistake, such as typographic quotes and arrows. */
static bool is_wide_name(uint32_t c)
{
    static const uint32_t excluded[][2] = {
        {0x80, 0xA9},     {0xAB, 0xB4},       {0xB6, 0xB6},       {0xB8, 0xB9},
        {0xBB, 0xBF},     {0xD7, 0xD7},       {0xF7, 0xF7},       {0x1680, 0x1680},
        {0x2000, 0x200B}, {0x200E, 0x203E},   {0x2041, 0x2053},   {0x2055, 0x2070},
        {0x207A, 0x207E}, {0x2190, 0x2BFF},   {0x2E00, 0x2E7F},   {0x3000, 0x3004},
        {0x3008, 0x3020}, {0xD800, 0xF8FF},   {0xFD3E, 0xFD3F},   {0xFE10, 0xFE1F},
        {0xFE30, 0xFE32}, {0xFEFF, 0xFEFF},   {0xFF01, 0xFF0F},   {0xFF1A, 0xFF20},
        {0xFFE0, 0xFFFF}, {0x1F000, 0x1FBEF}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF},
    };
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++) {
        if (c < excluded[i][0])
            return true;
        if (c <= excluded[i][1])
            return false;
    }
    return true;
}

static unsigned char at(const struct program_tokenizer *t, size_t offset)
{
    return offset < t->length ? (unsigned char)t->text[offset] : 0;
}

/* The length of the line end at `offset`, 0 if there is none. */
static size_t line_end(const struct program_tokenizer *t, size_t offset)
{
    switch (at(t, offset)) {
    case '\n':
        return 1;
    case '\r':
        return at(t, offset + 1) == '\n' ? 2 : 1;
    case 0xE2: /* U+2028 and U+2029 */
        return at(t, offset + 1) == 0x80 && (at(t, offset + 2) & 0xFE) == 0xA8 ? 3 : 0;
    default:
        return 0;
    }
}

/* The length of the part of an identifier at `offset`, 0 if there is none. */
static size_t name_part(const struct program_tokenizer *t, size_t offset)
{
    unsigned char c = at(t, offset);
    if (is_ascii_name(c))
        return offset < t->length ? 1 : 0;
    if (c == '\\' && at(t, offset + 1) == 'u') {
        size_t end = offset + 2;
        if (at(t, end) == '{') {
            while (++end < t->length && is_ascii_name(at(t, end)))
                ;
            return at(t, end) == '}' ? end + 1 - offset : 0;
        }
        while (end < offset + 6 && is_ascii_name(at(t, end)))
            end++;
        return end == offset + 6 ? 6 : 0;
    }
    if (c >= 0x80) {
        uint32_t code_point;
        size_t width = program_utf8_decode(t->text + offset, t->length - offset, &code_point);
        return width > 0 && is_wide_name(code_point) ? width : 0;
    }
    return 0;
}

static size_t name_end(const struct program_tokenizer *t, size_t offset)
{
    for (size_t width; (width = name_part(t, offset)) > 0;)
        offset += width;
    return offset;
}

static bool begins_name(const struct program_tokenizer *t, size_t offset)
{
    return !is_digit(at(t, offset)) && name_part(t, offset) > 0;
}

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
        size_t width = line_end(t, start);
        if (width > 0 && start + width <= end)
            new_line(t, start + width);
        start += width > 0 ? width : 1;
    }
}

static void settle_column(struct program_tokenizer *t, size_t offset)
{
    for (; t->column_offset < offset; t->column_offset++)
        t->column += (at(t, t->column_offset) & 0xC0) != 0x80;
}

/* ---- white space and comments ---- */

/* The offset of what follows white space and comments. *newline is set if a line ended on the way,
 * and never cleared. An unterminated comment is left to be read as a token. */
static size_t skip_space(const struct program_tokenizer *t, size_t offset, bool *newline)
{
    for (;;) {
        unsigned char c = at(t, offset);
        size_t width;
        if (offset >= t->length)
            return t->length;
        if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
            offset++;
        } else if ((width = line_end(t, offset)) > 0) {
            *newline = true;
            offset += width;
        } else if ((c == '/' && at(t, offset + 1) == '/') ||
                   (c == '#' && at(t, offset + 1) == '!' && offset == 0)) {
            while (offset < t->length && line_end(t, offset) == 0)
                offset++;
        } else if (c == '/' && at(t, offset + 1) == '*') {
            size_t end = offset + 2;
            bool lines = false;
            while (end < t->length && !(t->text[end] == '*' && at(t, end + 1) == '/'))
                lines |= line_end(t, end++) > 0;
            if (end >= t->length)
                return offset;
            *newline |= lines;
            offset = end + 2;
        } else if (c >= 0x80) {
            uint32_t code_point;
            width = program_utf8_decode(t->text + offset, t->length - offset, &code_point);
            if (width == 0 || !is_wide_space(code_point))
                return offset;
            offset += width;
        } else {
            return offset;
        }
    }
}

/* ---- words ---- */

static bool text_is(const struct program_tokenizer *t, size_t start, size_t end, const char *text)
{
    size_t length = strlen(text);
    return end - start == length && memcmp(t->text + start, text, length) == 0;
}

static enum word find_word(const struct program_tokenizer *t, size_t start, size_t end)
{
    size_t low = 0, high = sizeof words / sizeof *words;
    if (end - start < 2 || end - start > 10)
        return WORD_OTHER;
    while (low < high) {
        size_t middle = (low + high) / 2, length = strlen(words[middle].text);
        size_t common = length < end - start ? length : end - start;
        int order = memcmp(t->text + start, words[middle].text, common);
        if (order == 0)
            order = end - start < length ? -1 : end - start > length;
        if (order == 0)
            return words[middle].word;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return WORD_OTHER;
}

static bool is_modifier(const struct program_tokenizer *t, size_t start, size_t end)
{
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (text_is(t, start, end, modifiers[i]))
            return true;
    return false;
}

/* Whether an operand can begin at `offset`, and an operator that continues a name cannot. Used for
 * words that are operators to some programs and names to others. */
static bool begins_operand(const struct program_tokenizer *t, size_t offset)
{
    unsigned char c = at(t, offset), next = at(t, offset + 1);
    if (offset >= t->length)
        return false;
    if (begins_name(t, offset)) {
        size_t end = name_end(t, offset);
        enum word word = find_word(t, offset, end);
        return word != WORD_BINARY && word != WORD_OF && word != WORD_AS;
    }
    switch (c) {
    case '+':
    case '-':
        return next != c && next != '=';
    case '/':
        return next != '=';
    case '!':
        return next != '=';
    case '.':
        return is_digit(next);
    case '"':
    case '\'':
    case '`':
    case '(':
    case '[':
    case '{':
    case '~':
    case '#':
        return true;
    default:
        return is_digit(c);
    }
}

/* ---- brackets ---- */

static struct program_frame *top(struct program_tokenizer *t)
{
    return &t->frames[t->depth];
}

static void push(struct program_tokenizer *t, enum program_bracket bracket,
                 enum program_position after, enum body then_body)
{
    if (t->depth == PROGRAM_DEPTH_MAX) {
        t->too_deep++;
        return;
    }
    t->depth++;
    *top(t) = (struct program_frame){.bracket = bracket, .after = after, .then_body = then_body};
}

static bool holds_statements(enum program_bracket bracket)
{
    return bracket == PROGRAM_IN_PROGRAM || bracket == PROGRAM_IN_BLOCK ||
           bracket == PROGRAM_IN_FUNCTION;
}

static bool holds_members(enum program_bracket bracket)
{
    return bracket == PROGRAM_IN_CLASS || bracket == PROGRAM_IN_OBJECT;
}

static bool is_brace(enum program_bracket bracket)
{
    return bracket == PROGRAM_IN_BLOCK || bracket == PROGRAM_IN_FUNCTION || holds_members(bracket);
}

/* A statement, or its like in the innermost bracket, has ended. */
static void end_statement(struct program_tokenizer *t)
{
    struct program_frame *frame = top(t);
    frame->body = BODY_NONE;
    frame->function = FUNCTION_NONE;
    frame->classes = 0;
    frame->questions = 0;
    frame->named = 0;
    t->position = holds_statements(frame->bracket) ? PROGRAM_AT_STATEMENT
                  : holds_members(frame->bracket)  ? PROGRAM_AT_MEMBER
                                                   : PROGRAM_AT_OPERAND;
}

static bool previous_is(const struct program_tokenizer *t, const char *mark)
{
    return program_token_is_mark(t, &t->previous, mark);
}

static void open_parenthesis(struct program_tokenizer *t, const struct program_token *token)
{
    struct program_frame *frame = top(t);
    enum word word = t->previous_word;
    if (frame->function != FUNCTION_NONE) {
        enum body body =
            frame->function == FUNCTION_DECLARATION ? BODY_DECLARATION : BODY_EXPRESSION;
        frame->function = FUNCTION_NONE;
        push(t, PROGRAM_IN_PARAMETERS, PROGRAM_AT_OPERATOR, body);
    } else if (frame->named) {
        frame->named = 0;
        push(t, PROGRAM_IN_PARAMETERS, PROGRAM_AT_OPERATOR, BODY_METHOD);
    } else if (word == WORD_CATCH) {
        push(t, PROGRAM_IN_PARAMETERS, PROGRAM_AT_OPERATOR, BODY_BLOCK);
    } else if (word == WORD_SWITCH) {
        push(t, PROGRAM_IN_HEADER, PROGRAM_AT_OPERATOR, BODY_BLOCK);
    } else if (word == WORD_HEADER || word == WORD_FOR) {
        push(t, PROGRAM_IN_HEADER, PROGRAM_AT_STATEMENT, BODY_NONE);
        top(t)->for_header = word == WORD_FOR;
    } else if (token->position == PROGRAM_AT_OPERATOR) {
        push(t, PROGRAM_IN_ARGUMENTS, PROGRAM_AT_OPERATOR, BODY_NONE);
    } else {
        push(t, PROGRAM_IN_GROUP, PROGRAM_AT_OPERATOR, BODY_NONE);
    }
    t->position = PROGRAM_AT_OPERAND;
}

static void open_bracket(struct program_tokenizer *t, const struct program_token *token)
{
    if (token->position == PROGRAM_AT_MEMBER)
        top(t)->named = 1;
    push(t,
         token->position == PROGRAM_AT_OPERATOR || token->position == PROGRAM_AT_MEMBER
             ? PROGRAM_IN_INDEX
             : PROGRAM_IN_ARRAY,
         PROGRAM_AT_OPERATOR, BODY_NONE);
    t->position = PROGRAM_AT_OPERAND;
}

static void open_body(struct program_tokenizer *t)
{
    struct program_frame *frame = top(t);
    enum body body = frame->body;
    enum program_bracket bracket = body == BODY_BLOCK ? PROGRAM_IN_BLOCK : PROGRAM_IN_FUNCTION;
    enum program_position after = PROGRAM_AT_OPERATOR;
    frame->body = BODY_NONE;
    if (body == BODY_BLOCK || body == BODY_DECLARATION)
        after = PROGRAM_AT_STATEMENT;
    else if (body == BODY_METHOD && frame->bracket == PROGRAM_IN_CLASS)
        after = PROGRAM_AT_MEMBER;
    push(t, bracket, after, BODY_NONE);
    t->position = PROGRAM_AT_STATEMENT;
}

static void open_class(struct program_tokenizer *t)
{
    struct program_frame *frame = top(t);
    bool declares = --frame->classes == 0 && frame->class_declares;
    push(t, PROGRAM_IN_CLASS, declares ? PROGRAM_AT_STATEMENT : PROGRAM_AT_OPERATOR, BODY_NONE);
    t->position = PROGRAM_AT_MEMBER;
}

static void open_brace(struct program_tokenizer *t, const struct program_token *token)
{
    struct program_frame *frame = top(t);
    /* TypeScript: `f(): Promise<void> {` */
    bool ends_type = previous_is(t, ">") || previous_is(t, ">>") ||
                     program_token_is_word(t, &t->previous, "void");
    bool object;
    if (frame->body != BODY_NONE && (token->position == PROGRAM_AT_OPERATOR || ends_type)) {
        open_body(t);
        return;
    }
    if (frame->classes > 0 &&
        (token->position == PROGRAM_AT_OPERATOR || t->previous_word == WORD_CLASS || ends_type)) {
        open_class(t);
        return;
    }
    if (previous_is(t, "=>")) {
        push(t, PROGRAM_IN_FUNCTION, PROGRAM_AT_OPERATOR, BODY_NONE);
        t->position = PROGRAM_AT_STATEMENT;
        return;
    }
    switch (token->position) {
    case PROGRAM_AT_OPERAND:
        object = true;
        break;
    case PROGRAM_AT_OPERATOR: /* `as {…}`, else a block behind the end of a line, or TypeScript's */
        object = t->previous_word == WORD_AS && !token->newline_before;
        break;
    default:
        object = false;
        break;
    }
    if (object) {
        push(t, PROGRAM_IN_OBJECT, PROGRAM_AT_OPERATOR, BODY_NONE);
        t->position = PROGRAM_AT_MEMBER;
    } else if (token->position == PROGRAM_AT_MEMBER) { /* class { static {…} } */
        push(t, PROGRAM_IN_FUNCTION, PROGRAM_AT_MEMBER, BODY_NONE);
        t->position = PROGRAM_AT_STATEMENT;
    } else {
        if (token->newline_before)
            end_statement(t);
        push(t, PROGRAM_IN_BLOCK, PROGRAM_AT_STATEMENT, BODY_NONE);
        t->position = PROGRAM_AT_STATEMENT;
    }
}

static void close_bracket(struct program_tokenizer *t, struct program_token *token, char mark)
{
    const struct program_frame closed = *top(t);
    bool matches;
    if (t->too_deep > 0) {
        t->too_deep--;
        t->position = mark == '}' ? PROGRAM_AT_STATEMENT : PROGRAM_AT_OPERATOR;
        return;
    }
    switch (closed.bracket) {
    case PROGRAM_IN_PROGRAM:
    case PROGRAM_IN_TEMPLATE: /* its `}` is read as the next piece of the template */
        matches = false;
        break;
    case PROGRAM_IN_ARRAY:
    case PROGRAM_IN_INDEX:
        matches = mark == ']';
        break;
    default:
        matches = mark == (is_brace(closed.bracket) ? '}' : ')');
        break;
    }
    if (!matches) {
        token->unmatched = true;
        t->position = mark == '}' ? PROGRAM_AT_STATEMENT : PROGRAM_AT_OPERATOR;
        return;
    }
    token->bracket = closed.bracket;
    t->depth--;
    t->position = closed.after;
    if (closed.then_body != BODY_NONE)
        top(t)->body = closed.then_body;
    if (closed.after == PROGRAM_AT_STATEMENT && is_brace(closed.bracket))
        end_statement(t);
    else if (closed.after == PROGRAM_AT_MEMBER)
        end_statement(t);
}

static void colon(struct program_tokenizer *t)
{
    struct program_frame *frame = top(t);
    frame->named = 0;
    if (frame->questions > 0) {
        frame->questions--;
        t->position = PROGRAM_AT_OPERAND;
    } else if (holds_statements(frame->bracket) && frame->body == BODY_NONE) {
        end_statement(t); /* a label, `case x:`, `default:` */
    } else {
        t->position = PROGRAM_AT_OPERAND;
    }
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
    while (offset < t->length && line_end(t, offset) == 0)
        offset++;
    return offset;
}

/* The semicolon that may be left out at the end of a line, before a token that cannot continue an
 * expression. */
static void insert_semicolon(struct program_tokenizer *t, struct program_token *token)
{
    const struct program_frame *frame = top(t);
    if (token->position == PROGRAM_AT_OPERATOR && token->newline_before &&
        holds_statements(frame->bracket) && frame->body == BODY_NONE &&
        frame->function == FUNCTION_NONE && frame->classes == 0) {
        end_statement(t);
        token->position = t->position;
    }
}

/* A string or a number can also be the name of a member. */
static void begin_literal(struct program_tokenizer *t, struct program_token *token)
{
    insert_semicolon(t, token);
    if (token->position == PROGRAM_AT_MEMBER) {
        token->property_name = true;
        top(t)->named = 1;
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
            size_t width = line_end(t, offset + 1);
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
        if (c == '$' && at(t, offset + 1) == '{') {
            token->end = offset + 2;
            push(t, PROGRAM_IN_TEMPLATE, PROGRAM_AT_OPERATOR, BODY_NONE);
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
    while (offset < t->length && line_end(t, offset) == 0) {
        char c = t->text[offset];
        if (c == '\\' && offset + 1 < t->length && line_end(t, offset + 1) == 0)
            offset++;
        else if (c == '[')
            in_class = true;
        else if (c == ']')
            in_class = false;
        else if (c == '/' && !in_class) {
            token->end = name_end(t, offset + 1);
            return;
        }
        offset++;
    }
    set_error(token, rest_of_line(t, offset), "this regular expression is not closed");
}

static size_t skip_name_characters(const struct program_tokenizer *t, size_t offset)
{
    while (offset < t->length && is_ascii_name(at(t, offset)))
        offset++;
    return offset;
}

static void read_number(struct program_tokenizer *t, struct program_token *token)
{
    size_t offset = token->start;
    bool prefixed =
        at(t, offset) == '0' && strchr("xXoObB", at(t, offset + 1)) && at(t, offset + 1) != 0;
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
        unsigned char last = offset > token->start ? at(t, offset - 1) : 0;
        unsigned char c = at(t, offset);
        if ((c == '+' || c == '-') && (last == 'e' || last == 'E') && is_digit(at(t, offset + 1)))
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
    size_t next = skip_space(t, token->end, &newline);
    unsigned char c = at(t, next);
    struct program_frame *frame = top(t);
    token->position = PROGRAM_AT_MEMBER;
    if (is_modifier(t, token->start, token->end) && next < t->length &&
        (name_part(t, next) > 0 || c == '"' || c == '\'' || c == '[' || c == '#' || c == '*' ||
         c == '{')) {
        t->position = PROGRAM_AT_MEMBER;
        return;
    }
    t->position = PROGRAM_AT_OPERATOR;
    frame->named = 1;
    if (frame->bracket != PROGRAM_IN_OBJECT || c == ':' || c == '(' || c == '<' || c == '?')
        token->property_name = true;
    else if (c == ',' || c == '}' || (c == '=' && at(t, next + 1) != '='))
        token->shorthand = true;
}

static void read_word(struct program_tokenizer *t, struct program_token *token, enum word word)
{
    struct program_frame *frame = top(t);
    bool newline = false;
    size_t next = skip_space(t, token->end, &newline);

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
        if (begins_name(t, next)) {
            enum word following = find_word(t, next, name_end(t, next));
            token->declares = following != WORD_BINARY && following != WORD_OF;
        } else {
            token->declares = at(t, next) == '{' || (at(t, next) == '[' && next > token->end);
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
        if (!newline && text_is(t, next, name_end(t, next), "function"))
            t->position = token->position;
        break;
    case WORD_AWAIT:
        if (t->previous_word == WORD_FUNCTION || t->previous_word == WORD_CLASS ||
            t->previous.declares)
            t->await_is_name = true;
        if (frame->bracket == PROGRAM_IN_PARAMETERS && !begins_operand(t, next))
            t->await_is_name = true;
        if (t->previous_word != WORD_FOR && !t->await_is_name &&
            token->position != PROGRAM_AT_OPERATOR && begins_operand(t, next)) {
            token->awaits = true;
            t->position = PROGRAM_AT_OPERAND;
        }
        break;
    case WORD_YIELD:
        if (begins_operand(t, next) && !newline)
            t->position = PROGRAM_AT_OPERAND;
        break;
    case WORD_EXPORT:
        t->position = at(t, next) == '{' ? PROGRAM_AT_OPERAND : PROGRAM_AT_STATEMENT;
        break;
    case WORD_DEFAULT:
        if (t->previous_word == WORD_EXPORT)
            t->position = begins_name(t, next) ? PROGRAM_AT_STATEMENT : PROGRAM_AT_OPERAND;
        break;
    }
}

static void read_name(struct program_tokenizer *t, struct program_token *token)
{
    struct program_frame *frame = top(t);
    enum word word, before = t->previous_word;
    token->type = PROGRAM_TOKEN_NAME;
    token->end = name_end(t, token->start);
    t->previous_word = WORD_OTHER;
    if (previous_is(t, ".") || previous_is(t, "?.")) {
        token->property_name = true;
        t->position = PROGRAM_AT_OPERATOR;
        return;
    }
    word = find_word(t, token->start, token->end);
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
    size_t end = name_end(t, token->start + 1);
    if (end == token->start + 1 || is_digit(at(t, token->start + 1))) {
        set_error(token, token->start + 1, "`#` begins no name here");
        return;
    }
    token->type = PROGRAM_TOKEN_PRIVATE;
    token->end = end;
    token->property_name = true;
    if (top(t)->bracket == PROGRAM_IN_CLASS && token->newline_before)
        token->position = PROGRAM_AT_MEMBER;
    if (token->position == PROGRAM_AT_MEMBER)
        top(t)->named = 1;
    t->position = PROGRAM_AT_OPERATOR;
}

static size_t mark_length(const struct program_tokenizer *t, size_t offset)
{
    size_t available = t->length - offset;
    unsigned char second = at(t, offset + 1);
    if (second == 0 || strchr("=.&|?*+-<>", second) == NULL)
        return 1;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t length = strlen(marks[i]);
        if (length <= available && memcmp(t->text + offset, marks[i], length) == 0) {
            if (strcmp(marks[i], "?.") == 0 && is_digit(at(t, offset + 2)))
                return 1; /* x?.5:1 */
            return length;
        }
    }
    return 1;
}

static void read_mark(struct program_tokenizer *t, struct program_token *token)
{
    struct program_frame *frame = top(t);
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
        open_parenthesis(t, token);
        token->bracket = top(t)->bracket;
        return;
    case '[':
        open_bracket(t, token);
        token->bracket = top(t)->bracket;
        return;
    case '{':
        open_brace(t, token);
        token->bracket = top(t)->bracket;
        return;
    case ')':
    case ']':
    case '}':
        close_bracket(t, token, first);
        return;
    case ';':
        end_statement(t);
        return;
    case ',':
        frame->named = 0;
        t->position = frame->bracket == PROGRAM_IN_OBJECT ? PROGRAM_AT_MEMBER : PROGRAM_AT_OPERAND;
        return;
    case ':':
        colon(t);
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
    const unsigned char c = at(t, token->start);
    const enum word before = t->previous_word;
    bool keeps_word = false;
    if (c == '}' && t->too_deep == 0 && top(t)->bracket == PROGRAM_IN_TEMPLATE) {
        t->depth--;
        token->bracket = PROGRAM_IN_TEMPLATE;
        read_template(t, token);
    } else if (begins_name(t, token->start)) {
        read_name(t, token);
        keeps_word = true;
    } else if (is_digit(c) || (c == '.' && is_digit(at(t, token->start + 1)))) {
        read_number(t, token);
    } else if (c == '"' || c == '\'') {
        read_string(t, token);
    } else if (c == '`') {
        read_template(t, token);
    } else if (c == '#') {
        read_private(t, token);
    } else if (c == '/' && at(t, token->start + 1) == '*') {
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
    size_t start = skip_space(t, t->offset, &newline);
    if (newline)
        count_lines(t, t->offset, start);
    settle_column(t, start);
    if (t->previous_word == WORD_RETURN && newline)
        end_statement(t); /* nothing is returned */
    *token = (struct program_token){
        .type = PROGRAM_TOKEN_END,
        .position = t->position,
        .bracket = top(t)->bracket,
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
    return text_is(t, token->start, token->end, text);
}

bool program_token_is_word(const struct program_tokenizer *t, const struct program_token *token,
                           const char *word)
{
    return token->type == PROGRAM_TOKEN_NAME && !token->property_name &&
           text_is(t, token->start, token->end, word);
}

bool program_token_is_mark(const struct program_tokenizer *t, const struct program_token *token,
                           const char *mark)
{
    return token->type == PROGRAM_TOKEN_PUNCTUATOR && text_is(t, token->start, token->end, mark);
}
