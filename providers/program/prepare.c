#include "prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fence.h"
#include "shape.h"
#include "token.h"
#include "utf8.h"

#define INSERTION "return "

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

/* `text->text` holds the prefix and, from `body` on, the program, with room for an insertion. */
static void shape_body(struct program_text *text)
{
    char *body = text->text + text->body;
    struct program_shape shape;
    program_read_shape(body, text->body_length, &shape);
    text->is_empty = shape.is_empty;
    program_place_at(body, text->body_length, shape.end, &text->last_line, &text->last_column);
    if (text->body_length >= 2 && memcmp(body, "#!", 2) == 0)
        memcpy(body, "//", 2);
    if (shape.has_export_default) {
        memcpy(body + shape.export_start, "return", 6);
        memcpy(body + shape.default_start, "void 0,", 7);
        text->calls_result = true;
    } else if (shape.is_function) {
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
    const size_t prefix_length = strlen(prefix), suffix_length = strlen(suffix);
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
    status =
        program_unwrap_fences(text->text + text->body, &text->body_length, &text->is_fenced, error);
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
