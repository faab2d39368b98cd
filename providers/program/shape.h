/* What a program as a whole looks like: empty, one function, a module with a default export. */
#ifndef PROGRAM_SHAPE_H
#define PROGRAM_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_shape {
    bool is_empty; /* white space and comments only */
    size_t end;    /* offset behind the last token */

    /* Nothing but one function, arrow function or immediately invoked function, behind directives
     * if there are any. Generators are not meant: a call would run nothing of them. */
    bool is_function;
    size_t start;          /* offset of its first token */
    uint32_t line, column; /* and its place */

    /* `export default` at the top level, on one line. */
    bool has_export_default;
    size_t export_start, default_start; /* offsets of the two words */
};

/* [any thread] */
void program_read_shape(const char *text, size_t length, struct program_shape *shape);

#endif
