#include "core/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nodes are made in chunks, so that they never move. */
struct node_chunk {
    struct node_chunk *next;
    size_t used;
    struct node nodes[64];
};

struct reader {
    struct document *document;
    const char *original; /* as it was given: places are counted in it */
    const char *text;     /* the same with its comments blanked */
    size_t size;
    size_t at;
    char *words; /* where the next decoded string goes */
    uint32_t line;
    size_t line_start;    /* where the line that `line` counts begins */
    size_t counted;       /* up to where lines were counted */
    size_t column_offset; /* a place in that line ... */
    uint32_t column;      /* ... and its column */
};

/* --- Complaints --------------------------------------------------------------------------- */

static bool complain(struct document *document, uint32_t line, uint32_t column, const char *format,
                     va_list arguments)
{
    /* A long name must not push the complaint out. */
    const char *name = document->name != NULL ? document->name : "";
    size_t length = strlen(name);
    size_t skip = length > 200 ? length - 200 : 0;
    int used = snprintf(document->error, sizeof(document->error),
                        "%s%s:%u:%u: ", skip > 0 ? "..." : "", name + skip, line, column);
    vsnprintf(document->error + used, sizeof(document->error) - (size_t)used, format, arguments);
    return false;
}

bool document_complain(struct document *document, const struct node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(document, node->line, node->column, format, arguments);
    va_end(arguments);
    return false;
}

bool document_complain_key(struct document *document, const struct node *node, const char *format,
                           ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(document, node->key_line, node->key_column, format, arguments);
    va_end(arguments);
    return false;
}

int document_clip(const char *text)
{
    size_t size = strnlen(text, 65);
    if (size <= 64)
        return (int)size;
    for (size = 64; size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80;)
        size--;
    return (int)size;
}

static bool out_of_memory(struct document *document)
{
    snprintf(document->error, sizeof(document->error), "out of memory");
    return false;
}

/* The line and column of a place in the text. Places are asked for in rising order mostly, so the
 * count goes on from the last one. */
static void locate(struct reader *reader, size_t at, uint32_t *line, uint32_t *column)
{
    if (at < reader->counted) {
        reader->line = 1;
        reader->line_start = reader->counted = reader->column_offset = 0;
        reader->column = 1;
    }
    for (size_t i = reader->counted; i < at; i++)
        if (reader->original[i] == '\n') {
            reader->line++;
            reader->line_start = reader->column_offset = i + 1;
            reader->column = 1;
        }
    reader->counted = at;
    for (size_t i = reader->column_offset; i < at; i++)
        if (((unsigned char)reader->original[i] & 0xC0) != 0x80)
            reader->column++;
    reader->column_offset = at;
    *line = reader->line;
    *column = reader->column;
}

__attribute__((format(printf, 3, 4))) static bool fail_at(struct reader *reader, size_t at,
                                                          const char *format, ...)
{
    uint32_t line, column;
    locate(reader, at, &line, &column);
    va_list arguments;
    va_start(arguments, format);
    complain(reader->document, line, column, format, arguments);
    va_end(arguments);
    return false;
}

/* --- Characters --------------------------------------------------------------------------- */

size_t document_character(const char *at, size_t size)
{
    const unsigned char *text = (const unsigned char *)at;
    static const struct {
        unsigned char mask, lead, low, high; /* of the second byte */
        size_t length;
    } forms[] = {
        {0x80, 0x00, 0, 0, 1},       {0xE0, 0xC0, 0x80, 0xBF, 2}, {0xFF, 0xE0, 0xA0, 0xBF, 3},
        {0xFF, 0xED, 0x80, 0x9F, 3}, {0xF0, 0xE0, 0x80, 0xBF, 3}, {0xFF, 0xF0, 0x90, 0xBF, 4},
        {0xFF, 0xF4, 0x80, 0x8F, 4}, {0xF8, 0xF0, 0x80, 0xBF, 4},
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if ((text[0] & forms[i].mask) != forms[i].lead)
            continue;
        size_t length = forms[i].length;
        if (text[0] == 0xC0 || text[0] == 0xC1 || text[0] > 0xF4 || length > size)
            return 0;
        if (length > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
            return 0;
        for (size_t j = 2; j < length; j++)
            if ((text[j] & 0xC0) != 0x80)
                return 0;
        return length;
    }
    return 0;
}

static int peek(const struct reader *reader)
{
    return reader->at < reader->size ? (unsigned char)reader->text[reader->at] : -1;
}

static void skip_space(struct reader *reader)
{
    while (peek(reader) > 0 && strchr(" \t\r\n", peek(reader)) != NULL)
        reader->at++;
}

/* Complains about what stands where something else was expected. */
static bool unexpected(struct reader *reader, const char *expected)
{
    if (reader->at >= reader->size)
        return fail_at(reader, reader->at, "the file ends where %s was expected", expected);
    const char *found = reader->text + reader->at;
    size_t length = document_character(found, reader->size - reader->at);
    if (length == 1 && (*found < 0x20 || *found == 0x7F))
        return fail_at(reader, reader->at, "expected %s, found the control character U+%04X",
                       expected, (unsigned)*found);
    return fail_at(reader, reader->at, "expected %s, found '%.*s'", expected, (int)length, found);
}

/* Checks that the text is UTF-8 and blanks its comments (and a byte order mark) with spaces, so
 * that places stay what they are. */
static bool blank_comments(struct reader *reader, char *text)
{
    bool in_string = false;
    if (reader->size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        memset(text, ' ', 3);
    for (size_t i = 0; i < reader->size;) {
        size_t length = document_character(text + i, reader->size - i);
        if (length == 0)
            return fail_at(reader, i, "this is not UTF-8 text");
        if (in_string && text[i] == '\\') {
            i += i + 1 < reader->size && (unsigned char)text[i + 1] < 0x80 ? 2 : 1;
            continue;
        }
        if (text[i] == '"')
            in_string = !in_string;
        else if (in_string && text[i] == '\n')
            in_string = false; /* malformed; the reader will say so */
        if (in_string || text[i] != '/' || i + 1 >= reader->size) {
            i += length;
            continue;
        }
        size_t end = i;
        if (text[i + 1] == '/') {
            while (end < reader->size && text[end] != '\n')
                end++;
        } else if (text[i + 1] == '*') {
            char *close = memmem(text + i + 2, reader->size - i - 2, "*/", 2);
            if (close == NULL)
                return fail_at(reader, i, "this comment does not end");
            end = (size_t)(close - text) + 2;
        } else {
            i += length;
            continue;
        }
        for (; i < end; i += length) {
            length = document_character(text + i, reader->size - i);
            if (length == 0)
                return fail_at(reader, i, "this is not UTF-8 text");
            if (text[i] != '\n')
                memset(text + i, ' ', length);
        }
    }
    return true;
}

/* --- Values ------------------------------------------------------------------------------- */

static struct node *new_node(struct document *document)
{
    struct node_chunk *chunk = document->chunks;
    if (chunk == NULL || chunk->used == sizeof(chunk->nodes) / sizeof(chunk->nodes[0])) {
        chunk = calloc(1, sizeof(*chunk));
        if (chunk == NULL) {
            out_of_memory(document);
            return NULL;
        }
        chunk->next = document->chunks;
        document->chunks = chunk;
    }
    return &chunk->nodes[chunk->used++];
}

static bool read_hex4(struct reader *reader, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++) {
        int c = peek(reader);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return unexpected(reader, "four hexadecimal digits");
        *value = *value << 4 | (uint32_t)digit;
        reader->at++;
    }
    return true;
}

static void put_utf8(struct reader *reader, uint32_t c)
{
    unsigned char *out = (unsigned char *)reader->words;
    if (c < 0x80) {
        *out++ = (unsigned char)c;
    } else if (c < 0x800) {
        *out++ = (unsigned char)(0xC0 | c >> 6);
        *out++ = (unsigned char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *out++ = (unsigned char)(0xE0 | c >> 12);
        *out++ = (unsigned char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (unsigned char)(0x80 | (c & 0x3F));
    } else {
        *out++ = (unsigned char)(0xF0 | c >> 18);
        *out++ = (unsigned char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (unsigned char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (unsigned char)(0x80 | (c & 0x3F));
    }
    reader->words = (char *)out;
}

/* Reads what follows a backslash. */
static bool read_escape(struct reader *reader)
{
    size_t start = reader->at - 1;
    int c = peek(reader);
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *simple = c > 0 ? strchr(from, c) : NULL;
    if (simple != NULL) {
        reader->at++;
        *reader->words++ = to[simple - from];
        return true;
    }
    if (c != 'u')
        return fail_at(reader, start, "a backslash is followed by one of \" \\ / b f n r t u");
    reader->at++;
    uint32_t value, low;
    if (!read_hex4(reader, &value))
        return false;
    if (value >= 0xD800 && value <= 0xDBFF && reader->size - reader->at >= 2 &&
        memcmp(reader->text + reader->at, "\\u", 2) == 0) {
        reader->at += 2;
        if (!read_hex4(reader, &low))
            return false;
        if (low >= 0xDC00 && low <= 0xDFFF)
            value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
    }
    if (value >= 0xD800 && value <= 0xDFFF)
        return fail_at(reader, start, "this is half of a surrogate pair");
    put_utf8(reader, value);
    return true;
}

static bool read_string(struct reader *reader, const char **string, size_t *size)
{
    size_t start = reader->at++;
    char *begin = reader->words;
    for (;;) {
        int c = peek(reader);
        if (c < 0 || c == '\n')
            return fail_at(reader, start, "this string does not end on its line");
        if (c < 0x20)
            return fail_at(reader, reader->at, "a string cannot hold the control character U+%04X",
                           (unsigned)c);
        reader->at++;
        if (c == '"')
            break;
        if (c != '\\')
            *reader->words++ = (char)c;
        else if (!read_escape(reader))
            return false;
    }
    *size = (size_t)(reader->words - begin);
    *reader->words++ = '\0';
    *string = begin;
    return true;
}

static size_t skip_digits(struct reader *reader)
{
    size_t start = reader->at;
    while (peek(reader) >= '0' && peek(reader) <= '9')
        reader->at++;
    return reader->at - start;
}

static bool read_number(struct reader *reader)
{
    if (peek(reader) == '-')
        reader->at++;
    if (peek(reader) == '0')
        reader->at++;
    else if (skip_digits(reader) == 0)
        return unexpected(reader, "a digit");
    if (peek(reader) == '.') {
        reader->at++;
        if (skip_digits(reader) == 0)
            return unexpected(reader, "a digit");
    }
    if (peek(reader) == 'e' || peek(reader) == 'E') {
        reader->at++;
        if (peek(reader) == '+' || peek(reader) == '-')
            reader->at++;
        if (skip_digits(reader) == 0)
            return unexpected(reader, "a digit");
    }
    return true;
}

/* Reads a value that holds no others, or the opening bracket of one that does. */
static bool read_scalar(struct reader *reader, struct node *node)
{
    static const struct {
        const char *word;
        enum node_type type;
        bool boolean;
    } words[] = {
        {"null", NODE_NULL, false}, {"true", NODE_BOOLEAN, true}, {"false", NODE_BOOLEAN, false}};
    int c = peek(reader);
    if (c == '{' || c == '[') {
        node->type = c == '{' ? NODE_OBJECT : NODE_ARRAY;
        reader->at++;
        return true;
    }
    if (c == '"') {
        node->type = NODE_STRING;
        return read_string(reader, &node->string, &node->string_size);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        node->type = NODE_NUMBER;
        return read_number(reader);
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t length = strlen(words[i].word);
        if (reader->size - reader->at >= length &&
            memcmp(reader->text + reader->at, words[i].word, length) == 0) {
            node->type = words[i].type;
            node->boolean = words[i].boolean;
            reader->at += length;
            return true;
        }
    }
    return unexpected(reader, "a value");
}

static bool read_key(struct reader *reader, struct node *node)
{
    size_t size = 0;
    if (peek(reader) != '"')
        return unexpected(reader, "a key in double quotes");
    locate(reader, reader->at, &node->key_line, &node->key_column);
    size_t start = reader->at;
    if (!read_string(reader, &node->key, &size))
        return false;
    if (strlen(node->key) != size)
        return fail_at(reader, start, "a key cannot hold U+0000");
    skip_space(reader);
    if (peek(reader) != ':')
        return unexpected(reader, "':' after a key");
    reader->at++;
    skip_space(reader);
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const struct node *x = *(const struct node *const *)a, *y = *(const struct node *const *)b;
    int order = strcmp(x->key, y->key);
    return order != 0 ? order : (x->text < y->text ? -1 : 1);
}

/* A duplicate key would silently take the place of the first one. */
static bool check_duplicates(struct document *document, const struct node *object)
{
    if (object->count < 2)
        return true;
    const struct node **members = malloc(object->count * sizeof(const struct node *));
    if (members == NULL)
        return out_of_memory(document);
    size_t count = 0;
    for (const struct node *member = object->first; member != NULL; member = member->next)
        members[count++] = member;
    qsort(members, count, sizeof(const struct node *), compare_keys);
    bool good = true;
    for (size_t i = 1; i < count && good; i++)
        if (strcmp(members[i - 1]->key, members[i]->key) == 0)
            good = document_complain_key(
                document, members[i], "the key \"%.*s\" was given before, on line %u",
                document_clip(members[i]->key), members[i]->key, members[i - 1]->key_line);
    free(members);
    return good;
}

/* Reads one value and everything in it, without recursion. */
static bool read_value(struct reader *reader)
{
    struct document *document = reader->document;
    struct node *parent = NULL, *last[DOCUMENT_DEPTH + 1] = {NULL};
    for (;;) {
        struct node *node = new_node(document);
        if (node == NULL)
            return false;
        node->parent = parent;
        node->depth = parent != NULL ? parent->depth + 1 : 0;
        if (node->depth > DOCUMENT_DEPTH)
            return fail_at(reader, reader->at, "values are nested deeper than %u", DOCUMENT_DEPTH);
        if (parent != NULL && parent->type == NODE_OBJECT && !read_key(reader, node))
            return false;
        locate(reader, reader->at, &node->line, &node->column);
        node->text = reader->text + reader->at;
        if (!read_scalar(reader, node))
            return false;
        node->text_size = (size_t)(reader->text + reader->at - node->text);
        if (parent == NULL) {
            document->root = node;
        } else {
            if (last[node->depth] == NULL)
                parent->first = node;
            else
                last[node->depth]->next = node;
            last[node->depth] = node;
            parent->count++;
        }
        skip_space(reader);

        /* Go into it, unless it is empty or holds nothing. */
        bool inside = node->type == NODE_OBJECT || node->type == NODE_ARRAY;
        char close = node->type == NODE_OBJECT ? '}' : ']';
        if (inside && peek(reader) != close) {
            if (node->depth < DOCUMENT_DEPTH)
                last[node->depth + 1] = NULL;
            parent = node;
            continue;
        }
        if (inside) {
            reader->at++;
            node->text_size = (size_t)(reader->text + reader->at - node->text);
            skip_space(reader);
        }

        /* Go out of everything that ends here. */
        for (;;) {
            if (parent == NULL)
                return true;
            close = parent->type == NODE_OBJECT ? '}' : ']';
            if (peek(reader) == ',') {
                reader->at++;
                skip_space(reader);
                if (peek(reader) == close)
                    return fail_at(reader, reader->at, "a comma must not stand before '%c'", close);
                break;
            }
            if (peek(reader) != close)
                return unexpected(reader, close == '}' ? "',' or '}'" : "',' or ']'");
            reader->at++;
            parent->text_size = (size_t)(reader->text + reader->at - parent->text);
            if (parent->type == NODE_OBJECT && !check_duplicates(document, parent))
                return false;
            skip_space(reader);
            parent = (struct node *)parent->parent;
        }
    }
}

/* --- Documents ---------------------------------------------------------------------------- */

bool document_parse(struct document *document, const char *name, const char *text, size_t size)
{
    *document = (struct document){.name = strdup(name)};
    if (document->name == NULL)
        return out_of_memory(document);
    if (size > DOCUMENT_MAX) {
        snprintf(document->error, sizeof(document->error), "%.200s: larger than %u MiB", name,
                 DOCUMENT_MAX >> 20);
        return false;
    }
    /* A decoded string is shorter than it was written: its quotes make room for its NUL. */
    document->text = malloc(size + 1);
    document->words = malloc(size + 1);
    if (document->text == NULL || document->words == NULL)
        return out_of_memory(document);
    memcpy(document->text, text, size);
    document->text[size] = '\0';
    struct reader reader = {
        .document = document,
        .original = text,
        .text = document->text,
        .size = size,
        .words = document->words,
        .line = 1,
        .column = 1,
    };
    if (!blank_comments(&reader, document->text))
        return false;
    skip_space(&reader);
    if (!read_value(&reader))
        return false;
    if (reader.at < reader.size)
        return unexpected(&reader, "the end of the file");
    return true;
}

void document_clear(struct document *document)
{
    while (document->chunks != NULL) {
        struct node_chunk *next = document->chunks->next;
        free(document->chunks);
        document->chunks = next;
    }
    free(document->name);
    free(document->text);
    free(document->words);
    *document = (struct document){0};
}
