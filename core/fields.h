/*
 * fields.h - reading what is in a document: objects by a table of their keys, and plain values.
 *
 * Every reader complains (document_complain) and returns false when the value is not what it
 * reads. `member` is what it fills in; its type is named for each.
 */
#ifndef PAWL_CORE_FIELDS_H
#define PAWL_CORE_FIELDS_H

#include "core/document.h"

/* What an object may hold under a key: how it is read, and where in the target it goes. */
struct field {
    const char *key;
    bool (*read)(struct document *document, const struct node *node, void *member);
    size_t offset;
};

/* Reads an object into `target`: each of its keys must be one of the fields. The last field has
 * no key. `target` is NULL when no field fills anything in. */
bool document_object(struct document *document, const struct node *node, const struct field *fields,
                     void *target);

/* The value of a key, or NULL. */
const struct node *document_member(const struct node *object, const char *key);

bool document_is(struct document *document, const struct node *node, enum node_type type);

/* A string without U+0000, since no field means anything by one. It belongs to the document. */
bool document_string(struct document *document, const struct node *node, const char **string);

/* A copy of such a string (char *, to be freed), which must not be empty. */
bool field_name(struct document *document, const struct node *node, void *member);

/* true or false (bool). */
bool field_boolean(struct document *document, const struct node *node, void *member);

/* A whole number, a size ("64MiB" or a number), a time ("30s") in milliseconds (uint64_t). */
bool field_count(struct document *document, const struct node *node, void *member);
bool field_size(struct document *document, const struct node *node, void *member);
bool field_duration(struct document *document, const struct node *node, void *member);

/* Complains that there is no memory. */
bool field_no_memory(struct document *document);

#endif
