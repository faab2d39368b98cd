/* toolsfile.h - the functions that --tools FILE gives the program; see pawl-tools(5). */
#ifndef PAWL_TOOLS_TOOLSFILE_H
#define PAWL_TOOLS_TOOLSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pawl/pawl.h>

#include "core/document.h"

/* A function: a command or a constant. Its texts belong to the file's document. */
struct tool {
    const char *namespace_name;
    const char *name;
    const char *full_name; /* `namespace.function` */
    const char *signature; /* NULL: none */
    const char *description;
    bool is_command;
    char **arguments;      /* of a command; ends in NULL */
    const char *directory; /* where it runs */
    bool returns_text;
    bool concurrent;
    uint64_t timeout;        /* milliseconds, 0: none */
    const struct node *node; /* the function in the document */
    const struct node *value;
};

struct toolsfile {
    struct document document;
    char *directory; /* of the file, absolute */
    struct tool *tools;
    size_t count;
    size_t capacity;
};

/* Reads a tools file. Returns false with file->document.error. The file is to be cleared in either
 * case. */
bool toolsfile_read(struct toolsfile *file, const char *path);

/* The same from text, for a file in `directory`. */
bool toolsfile_parse(struct toolsfile *file, const char *path, const char *directory,
                     const char *text, size_t size);

void toolsfile_clear(struct toolsfile *file);

/* Adds the file's namespaces and functions, and discover(query) over them, to a request. The file
 * must stay until the registry that ran the request is freed. PAWL_OK, or the library's status with
 * file->document.error. */
int toolsfile_bind(struct toolsfile *file, pawl_request *request);

#endif
