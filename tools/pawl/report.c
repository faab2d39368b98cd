#include "tools/pawl/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/pawl/terminal.h"

static void *need(void *memory)
{
    if (memory == NULL) {
        fputs("pawl: out of memory\n", stderr);
        _Exit(EXIT_REFUSED);
    }
    return memory;
}

struct json_object *report_new_object(void)
{
    return need(json_object_new_object());
}

struct json_object *report_new_array(void)
{
    return need(json_object_new_array());
}

void report_put(struct json_object *object, const char *key, struct json_object *value)
{
    if (json_object_object_add(object, key, value) != 0)
        need(NULL);
}

void report_put_string(struct json_object *object, const char *key, const char *value)
{
    if (value != NULL)
        report_put(object, key, need(json_object_new_string(value)));
}

void report_put_number(struct json_object *object, const char *key, uint64_t value)
{
    report_put(object, key, need(json_object_new_uint64(value)));
}

void report_push(struct json_object *array, struct json_object *value)
{
    if (json_object_array_add(array, value) != 0)
        need(NULL);
}

void report_push_string(struct json_object *array, const char *value)
{
    report_push(array, need(json_object_new_string(value)));
}

struct json_object *report_refusal(const char *id, uint32_t level, const char *why)
{
    struct json_object *refusal = report_new_object();
    report_put_string(refusal, "id", id);
    report_put_string(refusal, "level", pawl_level_name(level));
    report_put_string(refusal, "why", why);
    return refusal;
}

int report_flush(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "pawl: cannot write to stdout: %s\n", strerror(errno));
    return EXIT_USAGE;
}

int report_object(struct json_object *object, int status)
{
    const char *text = need((void *)json_object_to_json_string_ext(
        object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    fputs(text, stdout);
    fputc('\n', stdout);
    json_object_put(object);
    return report_flush(status);
}

/* {"ok": false, "error": {"kind", "message", ...}} */
static int report_failure(const char *kind, const char *message, struct json_object *refused,
                          int status)
{
    struct json_object *failure = report_new_object(), *object = report_new_object();
    report_put_string(failure, "kind", kind);
    report_put_string(failure, "message", message);
    if (refused != NULL)
        report_put(failure, "refused", refused);
    report_put(object, "ok", need(json_object_new_boolean(false)));
    report_put(object, "error", failure);
    return report_object(object, status);
}

int report_usage(bool json, const char *format, ...)
{
    char *message;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&message, format, arguments) < 0)
        need(NULL);
    va_end(arguments);
    terminal_message(message);
    int status = json ? report_failure("usage", message, NULL, EXIT_USAGE) : EXIT_USAGE;
    free(message);
    return status;
}

/* Which errors of the library mean that a sound request was refused, and the kind of that. */
static const char *refusal_kind(int code)
{
    switch (code) {
    case PAWL_E_NO_PROVIDER:
        return "no_provider";
    case PAWL_E_MEMORY:
    case PAWL_E_UNSUPPORTED:
    case PAWL_E_UNAVAILABLE:
    case PAWL_E_SYSTEM:
    case PAWL_E_NOT_ENFORCED:
    case PAWL_E_ALREADY_TAKEN:
        return "sandbox_unavailable";
    default:
        return NULL;
    }
}

int report_error(bool json, pawl_error *error)
{
    const char *message = pawl_error_message(error);
    const char *kind = refusal_kind(pawl_error_code(error));
    int status = EXIT_USAGE;
    if (kind == NULL) {
        status = report_usage(json, "%s", message);
        pawl_error_free(error);
        return status;
    }
    struct json_object *refused = report_new_array();
    terminal_message(message); /* it names each of the refused as well */
    for (size_t i = 0; i < pawl_error_refusals(error); i++) {
        const char *id, *why;
        uint32_t level;
        pawl_error_refusal(error, i, &id, &level, &why);
        report_push(refused, report_refusal(id, level, why));
    }
    status = EXIT_REFUSED;
    if (json)
        status = report_failure(kind, message, refused, EXIT_REFUSED);
    else
        json_object_put(refused);
    pawl_error_free(error);
    return status;
}

int report_refused(bool json, const char *id, uint32_t level, const char *why)
{
    char *message;
    if (asprintf(&message, "the provider '%.64s' cannot be used: %s", id, why) < 0)
        need(NULL);
    struct json_object *refused = report_new_array();
    report_push(refused, report_refusal(id, level, why));
    terminal_message(message);
    int status = EXIT_REFUSED;
    if (json)
        status = report_failure("no_provider", message, refused, EXIT_REFUSED);
    else
        json_object_put(refused);
    free(message);
    return status;
}
