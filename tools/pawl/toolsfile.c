#include "tools/pawl/toolsfile.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fields.h"
#include "tools/pawl/command.h"
#include "tools/pawl/discover.h"

/* --- Functions ---------------------------------------------------------------------------- */

static bool read_text(struct document *document, const struct node *node, void *member)
{
    return document_string(document, node, member);
}

static bool read_command(struct document *document, const struct node *node, void *target)
{
    struct tool *tool = target;
    if (!document_is(document, node, NODE_ARRAY))
        return false;
    if (node->count == 0)
        return document_complain(document, node,
                                 "\"command\" must name a program: [\"./get_logs\"]");
    tool->is_command = true;
    tool->arguments = calloc(node->count + 1, sizeof(*tool->arguments));
    if (tool->arguments == NULL)
        return field_no_memory(document);
    size_t count = 0;
    for (const struct node *item = node->first; item != NULL; item = item->next) {
        const char *string;
        if (!document_string(document, item, &string))
            return false;
        if (count == 0 && *string == '\0')
            return document_complain(document, item, "the name of a program must not be empty");
        tool->arguments[count++] = (char *)string;
    }
    return true;
}

static bool read_returns(struct document *document, const struct node *node, void *member)
{
    const char *string;
    if (!document_string(document, node, &string))
        return false;
    if (strcmp(string, "json") != 0 && strcmp(string, "text") != 0)
        return document_complain(document, node,
                                 "\"returns\" is \"json\" or \"text\", not \"%.*s\"",
                                 document_clip(string), string);
    *(bool *)member = strcmp(string, "text") == 0;
    return true;
}

static bool read_value(struct document *document, const struct node *node, void *member)
{
    (void)document;
    *(const struct node **)member = node;
    return true;
}

static const struct field function_fields[] = {
    {"signature", read_text, offsetof(struct tool, signature)},
    {"description", read_text, offsetof(struct tool, description)},
    {"command", read_command, 0},
    {"returns", read_returns, offsetof(struct tool, returns_text)},
    {"concurrent", field_boolean, offsetof(struct tool, concurrent)},
    {"timeout", field_duration, offsetof(struct tool, timeout)},
    {"value", read_value, offsetof(struct tool, value)},
    {NULL, NULL, 0},
};

static struct tool *new_tool(struct toolsfile *file)
{
    if (file->count == file->capacity) {
        size_t capacity = file->capacity == 0 ? 16 : file->capacity * 2;
        struct tool *grown = reallocarray(file->tools, capacity, sizeof(*grown));
        if (grown == NULL)
            return NULL;
        file->tools = grown;
        file->capacity = capacity;
    }
    struct tool *tool = &file->tools[file->count++];
    *tool = (struct tool){.directory = file->directory};
    return tool;
}

static bool read_function(struct toolsfile *file, const struct node *node, const char *space)
{
    struct document *document = &file->document;
    struct tool *tool = new_tool(file);
    char *full_name = NULL;
    if (tool == NULL || asprintf(&full_name, "%s.%s", space, node->key) < 0)
        return field_no_memory(document);
    tool->namespace_name = space;
    tool->name = node->key;
    tool->full_name = full_name;
    tool->node = node;
    if (!document_object(document, node, function_fields, tool))
        return false;
    if (tool->is_command && tool->value != NULL)
        return document_complain_key(document, tool->value,
                                     "a function has a \"command\" or a \"value\", not both");
    if (!tool->is_command && tool->value == NULL)
        return document_complain(document, node,
                                 "a function needs a \"command\" or a \"value\" to return");
    static const char *const of_commands[] = {"returns", "concurrent", "timeout"};
    for (size_t i = 0; i < 3 && tool->value != NULL; i++) {
        const struct node *extra = document_member(node, of_commands[i]);
        if (extra != NULL)
            return document_complain_key(document, extra, "\"%s\" is for a \"command\" only",
                                         of_commands[i]);
    }
    return true;
}

/* --- Namespaces --------------------------------------------------------------------------- */

static bool any_object(struct document *document, const struct node *node, void *member)
{
    (void)member;
    return document_is(document, node, NODE_OBJECT);
}

struct error_class {
    const char *name, *member_property;
};

static const struct field error_class_fields[] = {
    {"name", read_text, offsetof(struct error_class, name)},
    {"member_property", read_text, offsetof(struct error_class, member_property)},
    {NULL, NULL, 0},
};

static bool read_error_class(struct document *document, const struct node *node, void *member)
{
    struct error_class class = {0};
    (void)member;
    if (!document_object(document, node, error_class_fields, &class))
        return false;
    return class.name != NULL ||
           document_complain(document, node, "an \"error_class\" needs a \"name\"");
}

static const struct field namespace_fields[] = {
    {"error_class", read_error_class, 0},
    {"functions", any_object, 0},
    {NULL, NULL, 0},
};
static const struct field file_fields[] = {{"namespaces", any_object, 0}, {NULL, NULL, 0}};

static bool read_document(struct toolsfile *file)
{
    struct document *document = &file->document;
    if (!document_object(document, document->root, file_fields, NULL))
        return false;
    const struct node *spaces = document_member(document->root, "namespaces");
    if (spaces == NULL)
        return document_complain(document, document->root, "\"namespaces\" is missing");
    for (const struct node *space = spaces->first; space != NULL; space = space->next) {
        if (!document_object(document, space, namespace_fields, NULL))
            return false;
        const struct node *functions = document_member(space, "functions");
        if (functions == NULL)
            return document_complain(document, space, "\"functions\" is missing");
        for (const struct node *function = functions->first; function != NULL;
             function = function->next)
            if (!read_function(file, function, space->key))
                return false;
    }
    return true;
}

/* --- Files -------------------------------------------------------------------------------- */

bool toolsfile_parse(struct toolsfile *file, const char *path, const char *directory,
                     const char *text, size_t size)
{
    *file = (struct toolsfile){0};
    if (!document_parse(&file->document, path, text, size))
        return false;
    file->directory = strdup(directory);
    return file->directory != NULL ? read_document(file) : field_no_memory(&file->document);
}

bool toolsfile_read(struct toolsfile *file, const char *path)
{
    *file = (struct toolsfile){0};
    if (!document_read(&file->document, path))
        return false;
    char *copy = strdup(path);
    if (copy == NULL)
        return field_no_memory(&file->document);
    file->directory = realpath(dirname(copy), NULL);
    free(copy);
    if (file->directory == NULL) {
        snprintf(file->document.error, sizeof(file->document.error), "%.200s: its folder: %s", path,
                 strerror(errno));
        return false;
    }
    return read_document(file);
}

void toolsfile_clear(struct toolsfile *file)
{
    for (size_t i = 0; i < file->count; i++) {
        free((char *)file->tools[i].full_name);
        free(file->tools[i].arguments);
    }
    free(file->tools);
    free(file->directory);
    document_clear(&file->document);
    *file = (struct toolsfile){0};
}

/* --- Binding ------------------------------------------------------------------------------ */

/* Puts the place of a node's key before what the library says of it; without memory it may have
 * said nothing. */
static int place_error(struct toolsfile *file, const struct node *node, int status,
                       pawl_error *error)
{
    document_complain_key(&file->document, node, "%s",
                          error != NULL ? pawl_error_message(error) : "out of memory");
    pawl_error_free(error);
    return status;
}

static int bind_namespace(const struct node *space, pawl_request *request, pawl_error **error)
{
    const struct node *class = document_member(space, "error_class");
    const struct node *name = class != NULL ? document_member(class, "name") : NULL;
    const struct node *member = class != NULL ? document_member(class, "member_property") : NULL;
    return pawl_request_add_namespace(request, space->key, name != NULL ? name->string : NULL,
                                      member != NULL ? member->string : NULL, error);
}

static int bind_tool(struct tool *tool, pawl_request *request, pawl_error **error)
{
    struct pawl_function_options options = {
        .size = sizeof(options),
        .signature = tool->signature,
        .description = tool->description,
        .concurrent = tool->concurrent,
        .timeout = tool->timeout,
    };
    if (tool->is_command)
        return pawl_request_add_function(request, tool->namespace_name, tool->name, &options,
                                         command_call, tool, error);
    char *json = strndup(tool->value->text, tool->value->text_size);
    if (json == NULL)
        return PAWL_E_MEMORY;
    int status =
        pawl_request_add_value(request, tool->namespace_name, tool->name, &options, json, error);
    free(json);
    return status;
}

int toolsfile_bind(struct toolsfile *file, pawl_request *request)
{
    pawl_error *error = NULL;
    const struct node *spaces = document_member(file->document.root, "namespaces");
    for (const struct node *space = spaces->first; space != NULL; space = space->next) {
        int status = bind_namespace(space, request, &error);
        if (status != PAWL_OK)
            return place_error(file, space, status, error);
    }
    for (size_t i = 0; i < file->count; i++) {
        int status = bind_tool(&file->tools[i], request, &error);
        if (status != PAWL_OK)
            return place_error(file, file->tools[i].node, status, error);
    }
    pawl_request_set_discoverer(request, discover_tools, file);
    return PAWL_OK;
}
