/* A program as a model sends it, made into text for an engine, and positions in that text made into
 * positions in what the model wrote.
 *
 * What is done to the text:
 * - A byte order mark is dropped. CR LF and CR become LF, as they do for ECMAScript.
 * - Markdown is recognized by its fences. The one fenced program is taken; what surrounds it is
 *   removed but for its line ends. A fence is a program if it is marked as JavaScript or
 * TypeScript, or, where none is, if it is not marked. Two programs are an error: choosing would be
 * guessing.
 * - A hashbang becomes a comment.
 * - `export default` becomes `return void 0,`: as long, and an expression can follow on any line.
 * - A program that is nothing but one function, arrow function, or immediately invoked function
 *   (behind directives, if any) gets a `return ` before it.
 * In the last two cases `calls_result` says that the engine must call the value if it is a
 * function, and take what that returns.
 *
 * Lines are never moved, so only two places shift columns: the caller's prefix on the first line,
 * and an inserted `return `.
 *
 * Memory comes from malloc; nothing is kept between calls. [any thread] */
#ifndef PROGRAM_PREPARE_H
#define PROGRAM_PREPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define PROGRAM_SOURCE_MAX ((size_t)16 << 20)

struct program_options {
    const char *prefix; /* put before the program, on its first line, or above it; NULL: nothing */
    const char *suffix; /* put behind it; begin it with a line end to be safe from a comment */
    size_t source_max;  /* bytes of the program as it comes; 0: PROGRAM_SOURCE_MAX */
};

struct program_text {
    char *text;               /* UTF-8 without U+0000, terminated by zero; free with _release */
    size_t length;            /* of all of it */
    size_t body, body_length; /* the part that is the program, without prefix and suffix */
    bool calls_result;        /* the value, if a function, is to be called */
    bool is_empty;            /* white space and comments only: valid, and returns nothing */
    bool is_fenced;           /* it came in Markdown */

    /* How positions are taken back. */
    uint32_t prefix_lines, prefix_columns;
    uint32_t insertion_line, insertion_column, insertion_columns;
    uint32_t last_line, last_column; /* just behind the last token */
};

/* Returns 0, PROGRAM_E_SYNTAX with *error filled in, or PROGRAM_E_MEMORY. `options` may be NULL.
 * `source` needs no terminating zero. On failure *text is all zero. */
int program_prepare(const char *source, size_t length, const struct program_options *options,
                    struct program_text *text, struct program_error *error);

/* Takes a position in `text->text` back to the text as the model wrote it. A column of 0 is not
 * known, and stays so. What lies behind the program is placed at its end. Returns false for a place
 * inside the prefix, or line 0: then there is no position, and the outputs are 0. */
bool program_text_locate(const struct program_text *text, uint32_t line, uint32_t column,
                         uint32_t *model_line, uint32_t *model_column);

/* May be called on a zeroed struct. */
void program_text_release(struct program_text *text);

#endif
