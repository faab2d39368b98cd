#include "tools/pawl/render.h"

#include <stdio.h>
#include <string.h>

#include "tools/pawl/terminal.h"

#define LINE_SHOWN 160 /* bytes of a line of the program */

/* The given line of the program, without its end. */
static const char *find_line(const char *program, size_t size, uint32_t line, size_t *length)
{
    const char *end = program + size;
    for (; line > 1 && program < end; line--) {
        program = memchr(program, '\n', (size_t)(end - program));
        program = program != NULL ? program + 1 : end;
    }
    if (program >= end)
        return NULL;
    const char *line_end = memchr(program, '\n', (size_t)(end - program));
    *length = (size_t)((line_end != NULL ? line_end : end) - program);
    while (*length > 0 && program[*length - 1] == '\r')
        (*length)--;
    return program;
}

/* Shows the line with a mark under the column, if both are short enough to be of help. */
static void show_line(const char *program, size_t size, uint32_t line, uint32_t column)
{
    size_t length;
    const char *text = line > 0 ? find_line(program, size, line, &length) : NULL;
    if (text == NULL || length == 0 || length > LINE_SHOWN || memchr(text, '\0', length) != NULL)
        return;
    fputs("    ", stderr);
    terminal_print(stderr, STYLE_PLAIN, text, length);
    fputc('\n', stderr);
    if (column == 0)
        return;
    fputs("    ", stderr);
    /* Tabs stay tabs, so that the mark stands where the terminal put the character. */
    size_t at = 0;
    for (uint32_t i = 1; i < column && at < length; i++) {
        fputc(text[at] == '\t' ? '\t' : ' ', stderr);
        for (at++; at < length && ((unsigned char)text[at] & 0xC0) == 0x80;)
            at++;
    }
    terminal_format(stderr, STYLE_ERROR, "^");
    fputc('\n', stderr);
}

/* FILE:LINE:COLUMN: kind: message, as compilers say it and editors understand it. */
static void show_failure(const pawl_result *result, const char *name, const char *program,
                         size_t size)
{
    size_t length;
    const char *message = pawl_result_message(result, &length);
    uint32_t line = pawl_result_line(result), column = pawl_result_column(result);
    terminal_format(stderr, STYLE_BOLD, "%s:", name);
    if (line > 0)
        terminal_format(stderr, STYLE_BOLD, "%u:", line);
    if (line > 0 && column > 0)
        terminal_format(stderr, STYLE_BOLD, "%u:", column);
    fputc(' ', stderr);
    terminal_format(stderr, STYLE_ERROR, "%s:", pawl_result_kind(result));
    fputc(' ', stderr);
    if (message != NULL)
        terminal_print(stderr, STYLE_PLAIN, message, length);
    fputc('\n', stderr);
    show_line(program, size, line, column);
    for (size_t i = 0; i < pawl_result_suggestions(result); i++)
        terminal_format(stderr, STYLE_HINT, "  hint: %s\n", pawl_result_suggestion(result, i));
}

void render_result(pawl_result *result, const char *name, const char *program, size_t size,
                   size_t logged)
{
    size_t length;
    for (size_t i = logged; i < pawl_result_logs(result); i++) {
        const char *entry = pawl_result_log(result, i, &length);
        terminal_print(stderr, STYLE_PLAIN, entry, length);
        fputc('\n', stderr);
    }
    fflush(stderr);
    if (!pawl_result_ok(result)) {
        show_failure(result, name, program, size);
    } else if (pawl_result_has_value(result)) {
        const char *value = pawl_result_value(result, &length);
        terminal_print(stdout, STYLE_PLAIN, value, length);
        fputc('\n', stdout);
    } else {
        terminal_format(stderr, STYLE_DIM, "%s: nothing was returned\n", name);
    }
}
