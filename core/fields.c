#include "core/fields.h"

#include <stdio.h>
#include <string.h>

#include <pawl/pawl.h>

static const char *type_name(enum node_type type)
{
    static const char *const names[] = {
        [NODE_NULL] = "null",       [NODE_BOOLEAN] = "true or false", [NODE_NUMBER] = "a number",
        [NODE_STRING] = "a string", [NODE_ARRAY] = "an array",        [NODE_OBJECT] = "an object",
    };
    return names[type];
}

bool field_no_memory(struct document *document)
{
    snprintf(document->error, sizeof(document->error), "out of memory");
    return false;
}

const struct node *document_member(const struct node *object, const char *key)
{
    for (const struct node *member = object->first; member != NULL; member = member->next)
        if (member->key != NULL && strcmp(member->key, key) == 0)
            return member;
    return NULL;
}

bool document_is(struct document *document, const struct node *node, enum node_type type)
{
    if (node->type == type)
        return true;
    if (node->key == NULL)
        document_complain(document, node, "expected %s, found %s", type_name(type),
                          type_name(node->type));
    else
        document_complain(document, node, "\"%.*s\" must be %s, not %s", document_clip(node->key),
                          node->key, type_name(type), type_name(node->type));
    return false;
}

static bool unknown_key(struct document *document, const struct node *node,
                        const struct field *fields)
{
    char known[256] = "";
    size_t used = 0;
    for (; fields->key != NULL && used < sizeof(known); fields++)
        used += (size_t)snprintf(known + used, sizeof(known) - used, "%s\"%s\"",
                                 used > 0 ? ", " : "", fields->key);
    return document_complain_key(document, node, "unknown key \"%.*s\"; known here: %s",
                                 document_clip(node->key), node->key, known);
}

bool document_object(struct document *document, const struct node *node, const struct field *fields,
                     void *target)
{
    if (!document_is(document, node, NODE_OBJECT))
        return false;
    for (const struct node *member = node->first; member != NULL; member = member->next) {
        const struct field *field = fields;
        while (field->key != NULL && strcmp(field->key, member->key) != 0)
            field++;
        if (field->key == NULL)
            return unknown_key(document, member, fields);
        void *place = target != NULL ? (char *)target + field->offset : NULL;
        if (!field->read(document, member, place))
            return false;
    }
    return true;
}

bool document_string(struct document *document, const struct node *node, const char **string)
{
    if (!document_is(document, node, NODE_STRING))
        return false;
    if (strlen(node->string) != node->string_size) {
        document_complain(document, node, "this string cannot hold U+0000");
        return false;
    }
    *string = node->string;
    return true;
}

bool field_name(struct document *document, const struct node *node, void *member)
{
    const char *string = NULL;
    if (!document_string(document, node, &string))
        return false;
    if (*string == '\0')
        return document_complain(document, node, "this string must not be empty");
    char *copy = strdup(string);
    if (copy == NULL)
        return field_no_memory(document);
    *(char **)member = copy;
    return true;
}

bool field_boolean(struct document *document, const struct node *node, void *member)
{
    if (!document_is(document, node, NODE_BOOLEAN))
        return false;
    *(bool *)member = node->boolean;
    return true;
}

bool field_count(struct document *document, const struct node *node, void *member)
{
    if (!document_is(document, node, NODE_NUMBER))
        return false;
    uint64_t number = 0;
    for (size_t i = 0; i < node->text_size; i++) {
        char c = node->text[i];
        if (c < '0' || c > '9')
            return document_complain(document, node, "%.*s is not a whole number of 0 or more",
                                     (int)(node->text_size < 64 ? node->text_size : 64),
                                     node->text);
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(c - '0'), &number))
            return document_complain(document, node, "this number is too large");
    }
    *(uint64_t *)member = number;
    return true;
}

/* Reads a number with a unit by one of the library's readers. */
static bool field_unit(struct document *document, const struct node *node,
                       int (*parse)(const char *, uint64_t *, pawl_error **), uint64_t *value)
{
    const char *string = NULL;
    pawl_error *error = NULL;
    if (!document_string(document, node, &string))
        return false;
    if (parse(string, value, &error) == PAWL_OK)
        return true;
    document_complain(document, node, "%s", pawl_error_message(error));
    pawl_error_free(error);
    return false;
}

bool field_size(struct document *document, const struct node *node, void *member)
{
    if (node->type == NODE_NUMBER)
        return field_count(document, node, member);
    return field_unit(document, node, pawl_size_parse, member);
}

bool field_duration(struct document *document, const struct node *node, void *member)
{
    if (node->type == NODE_NUMBER)
        return document_complain(document, node,
                                 "a time needs a unit: write \"30s\" or \"1500ms\"");
    return field_unit(document, node, pawl_duration_parse, member);
}
