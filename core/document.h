/*
 * document.h - JSON that people write (pawl.json, tools files), with the place of everything.
 *
 * A reader of its own rather than json-c's, because every complaint about such a file must name the
 * line and column of the very key or value that is wrong, and because a duplicate key, a number
 * such as 01 or a NaN, which json-c accepts, must not pass in a file that grants rights. Comments
 * (// and slash-star) are allowed; nothing else beyond RFC 8259 is.
 *
 * It needs nothing but the C library, so that libpawl and the command line can both contain it.
 */
#ifndef PAWL_CORE_DOCUMENT_H
#define PAWL_CORE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOCUMENT_MAX   (4u << 20) /* bytes in a file */
#define DOCUMENT_DEPTH 64u        /* values in values */

enum node_type { NODE_NULL, NODE_BOOLEAN, NODE_NUMBER, NODE_STRING, NODE_ARRAY, NODE_OBJECT };

/* A value of the document. */
struct node {
    enum node_type type;
    bool boolean;
    size_t depth;
    uint32_t line, column;         /* where it begins, from 1; columns count code points */
    uint32_t key_line, key_column; /* where its key begins, in an object */
    const char *key;               /* its key in an object, otherwise NULL; holds no U+0000 */
    const char *string;            /* of a string: decoded, ends in NUL, may hold others */
    size_t string_size;
    const char *text; /* as it was written (comments blanked); of `text_size` bytes, no NUL */
    size_t text_size;
    const struct node *parent;
    struct node *first; /* of an array or object */
    struct node *next;
    size_t count; /* of values in it */
};

struct node_chunk;

struct document {
    char *name;  /* of the file, for messages */
    char *text;  /* what `node.text` points into */
    char *words; /* what `node.key` and `node.string` point into */
    struct node_chunk *chunks;
    struct node *root;
    char error[512]; /* "FILE:LINE:COLUMN: what is wrong" after a failure */
};

/* Reads a document from text that needs not end in NUL. Returns false with document->error. The
 * document is to be cleared in either case. */
bool document_parse(struct document *document, const char *name, const char *text, size_t size);

/* The same from a file. */
bool document_read(struct document *document, const char *path);

void document_clear(struct document *document);

/* Sets document->error to a complaint about a value (or, the second, its key) and returns false. */
bool document_complain(struct document *document, const struct node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool document_complain_key(struct document *document, const struct node *node, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));

/* How many bytes of a text to show in a message (%.*s): at most 64, whole characters. */
int document_clip(const char *text);

/* The length of the UTF-8 character at a place, 0 if it is malformed; `size` is at least 1. */
size_t document_character(const char *at, size_t size);

#define DOCUMENT_CLEANUP __attribute__((cleanup(document_clear)))

#endif
