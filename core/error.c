#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pawl_error {
    int code;
    char *message;
    struct refusals refusals;
};

/* What is returned when there is no memory to say anything else; never freed. */
static const struct pawl_error no_memory = {
    .code = PAWL_E_MEMORY,
    .message = (char *)"out of memory",
};

int refusals_add(struct refusals *refusals, const char *id, uint32_t level, const char *why)
{
    struct refusal *items =
        realloc(refusals->items, (refusals->count + 1) * sizeof(*refusals->items));
    if (items == NULL)
        return PAWL_E_MEMORY;
    refusals->items = items;
    struct refusal added = {.id = strdup(id), .level = level, .why = strdup(why)};
    if (added.id == NULL || added.why == NULL) {
        free(added.id);
        free(added.why);
        return PAWL_E_MEMORY;
    }
    items[refusals->count++] = added;
    return PAWL_OK;
}

void refusals_clear(struct refusals *refusals)
{
    for (size_t i = 0; i < refusals->count; i++) {
        free(refusals->items[i].id);
        free(refusals->items[i].why);
    }
    free(refusals->items);
    *refusals = (struct refusals){0};
}

/* Makes the error object; takes over `refusals` and `message` whatever happens. */
static int error_make(pawl_error **error, int code, struct refusals *refusals, char *message)
{
    pawl_error *made = error != NULL && message != NULL ? malloc(sizeof(*made)) : NULL;
    if (made == NULL) {
        free(message);
        if (refusals != NULL)
            refusals_clear(refusals);
        if (error != NULL)
            *error = (pawl_error *)&no_memory;
        return code;
    }
    *made = (struct pawl_error){.code = code, .message = message};
    if (refusals != NULL) {
        made->refusals = *refusals;
        *refusals = (struct refusals){0};
    }
    *error = made;
    return code;
}

static char *format_text(const char *format, va_list arguments)
{
    char *text = NULL;
    return vasprintf(&text, format, arguments) < 0 ? NULL : text;
}

int error_set(pawl_error **error, int code, const char *format, ...)
{
    if (error == NULL)
        return code;
    va_list arguments;
    va_start(arguments, format);
    char *message = format_text(format, arguments);
    va_end(arguments);
    return error_make(error, code, NULL, message);
}

int error_memory(pawl_error **error)
{
    if (error != NULL)
        *error = (pawl_error *)&no_memory;
    return PAWL_E_MEMORY;
}

int error_set_refused(pawl_error **error, int code, struct refusals *refusals, const char *format,
                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = error == NULL ? NULL : format_text(format, arguments);
    va_end(arguments);
    return error_make(error, code, refusals, message);
}

int error_prefix(pawl_error **error, const char *format, ...)
{
    if (error == NULL || *error == NULL || *error == &no_memory)
        return error == NULL || *error == NULL ? PAWL_OK : PAWL_E_MEMORY;
    va_list arguments;
    va_start(arguments, format);
    char *prefix = format_text(format, arguments);
    va_end(arguments);
    char *message = NULL;
    if (prefix != NULL && asprintf(&message, "%s: %s", prefix, (*error)->message) >= 0) {
        free((*error)->message);
        (*error)->message = message;
    }
    free(prefix);
    return (*error)->code;
}

int pawl_error_code(const pawl_error *error)
{
    return error->code;
}

const char *pawl_error_message(const pawl_error *error)
{
    return error->message;
}

size_t pawl_error_refusals(const pawl_error *error)
{
    return error->refusals.count;
}

void pawl_error_refusal(const pawl_error *error, size_t index, const char **id, uint32_t *level,
                        const char **why)
{
    const struct refusal *refusal =
        index < error->refusals.count ? &error->refusals.items[index] : NULL;
    if (id != NULL)
        *id = refusal != NULL ? refusal->id : NULL;
    if (level != NULL)
        *level = refusal != NULL ? refusal->level : 0;
    if (why != NULL)
        *why = refusal != NULL ? refusal->why : NULL;
}

void pawl_error_free(pawl_error *error)
{
    if (error == NULL || error == &no_memory)
        return;
    refusals_clear(&error->refusals);
    free(error->message);
    free(error);
}
