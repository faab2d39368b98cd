#include "core/signature.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"

void signature_clear(struct signature *signature)
{
    for (size_t i = 0; i < signature->count; i++)
        free(signature->parameters[i].name);
    free(signature->parameters);
    *signature = (struct signature){0};
}

static const char *skip_space(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

/* An identifier of JavaScript, as far as ASCII goes. */
static size_t identifier_length(const char *p)
{
    size_t length = 0;
    while ((p[length] >= 'a' && p[length] <= 'z') || (p[length] >= 'A' && p[length] <= 'Z') ||
           p[length] == '_' || p[length] == '$' ||
           (length > 0 && p[length] >= '0' && p[length] <= '9'))
        length++;
    return length;
}

static int malformed(pawl_error **error, const char *text, const char *at, const char *what)
{
    return error_set(error, PAWL_E_SIGNATURE,
                     "the signature '%.200s' is malformed at column %zu: %s; write it like "
                     "'get_logs(host, count?)'",
                     text, (size_t)(at - text) + 1, what);
}

static bool has_parameter(const struct signature *signature, const char *name, size_t size)
{
    for (size_t i = 0; i < signature->count; i++)
        if (strlen(signature->parameters[i].name) == size &&
            memcmp(signature->parameters[i].name, name, size) == 0)
            return true;
    return false;
}

static int add_parameter(struct signature *signature, const char *name, size_t size, bool optional,
                         pawl_error **error)
{
    struct parameter *grown =
        realloc(signature->parameters, (signature->count + 1) * sizeof(*grown));
    if (grown == NULL)
        return error_memory(error);
    signature->parameters = grown;
    char *copy = strndup(name, size);
    if (copy == NULL)
        return error_memory(error);
    grown[signature->count++] = (struct parameter){.name = copy, .optional = optional};
    signature->required += !optional;
    return PAWL_OK;
}

/* Parses the parameters behind the '('. */
static int parse_parameters(const char *text, const char *p, struct signature *signature,
                            pawl_error **error)
{
    p = skip_space(p);
    while (*p != ')') {
        size_t size = identifier_length(p);
        if (size == 0)
            return malformed(error, text, p, "the name of a parameter or ')' is expected");
        if (size > NAME_MAX_BYTES)
            return malformed(error, text, p, "the name of a parameter is too long");
        if (has_parameter(signature, p, size))
            return malformed(error, text, p, "this parameter is there already");
        if (signature->count == SIGNATURE_MAX_PARAMETERS)
            return malformed(error, text, p, "there are more than 64 parameters");
        const char *name = p;
        p = skip_space(p + size);
        bool optional = *p == '?';
        if (optional)
            p = skip_space(p + 1);
        else if (signature->required < signature->count)
            return malformed(error, text, name,
                             "a required parameter cannot follow an optional one");
        int status = add_parameter(signature, name, size, optional, error);
        if (status != PAWL_OK)
            return status;
        if (*p == ')')
            break;
        if (*p != ',')
            return malformed(error, text, p, "',' or ')' is expected");
        p = skip_space(p + 1);
        if (*p == ')')
            return malformed(error, text, p, "a parameter is expected after ','");
    }
    p = skip_space(p + 1);
    return *p == '\0' ? PAWL_OK : malformed(error, text, p, "nothing can follow the ')'");
}

int signature_parse(const char *text, const char *name, struct signature *signature,
                    pawl_error **error)
{
    *signature = (struct signature){0};
    /* The function's name comes first. It may be any text, a '(' included. */
    const char *start = skip_space(text);
    size_t size = strlen(name);
    if (strncmp(start, name, size) != 0) {
        char *alias = NULL;
        if (name_clean(name, &alias) != PAWL_OK)
            return error_memory(error);
        bool by_alias = alias != NULL && strncmp(start, alias, strlen(alias)) == 0;
        size = by_alias ? strlen(alias) : 0;
        free(alias);
        if (!by_alias)
            return error_set(error, PAWL_E_SIGNATURE,
                             "the signature '%.200s' is malformed: it must begin with the "
                             "function's name, '%s'",
                             text, name);
    }
    const char *p = skip_space(start + size);
    if (*p != '(')
        return malformed(error, text, p, "'(' is expected behind the function's name");
    int status = parse_parameters(text, p + 1, signature, error);
    if (status != PAWL_OK)
        signature_clear(signature);
    return status;
}

/* --- Binding arguments --------------------------------------------------------------------- */

/* A value inside valid JSON text. */
struct slice {
    const char *data;
    size_t size;
};

static const char *skip_string(const char *p)
{
    for (p++; *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p + 1;
}

/* The end of the value that begins at `p`: valid JSON needs no more than counting brackets. */
static const char *skip_value(const char *p, const char *end)
{
    size_t depth = 0;
    while (p < end) {
        if (*p == '"') {
            p = skip_string(p);
        } else {
            if (*p == '[' || *p == '{')
                depth++;
            else if ((*p == ']' || *p == '}') && depth-- == 0)
                return p;
            else if (*p == ',' && depth == 0)
                return p;
            else if (*p == ':' && depth == 0)
                return p;
            p++;
        }
        if (depth == 0 && p < end && (p[-1] == '"' || p[-1] == ']' || p[-1] == '}'))
            return p;
    }
    return p;
}

/* Takes the next element of an array, or key of an object, at *p, which is behind '[', '{', ',' or
 * ':'. False at the closing bracket. */
static bool next_value(const char **p, const char *end, struct slice *value)
{
    const char *start = skip_space(*p);
    if (start >= end || *start == ']' || *start == '}')
        return false;
    const char *stop = skip_value(start, end);
    *p = skip_space(stop);
    if (*p < end && (**p == ',' || **p == ':'))
        ++*p;
    while (stop > start &&
           (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\n' || stop[-1] == '\r'))
        stop--;
    *value = (struct slice){start, (size_t)(stop - start)};
    return true;
}

static size_t find_parameter(const struct signature *signature, struct slice key)
{
    size_t i = 0;
    while (i < signature->count &&
           (strlen(signature->parameters[i].name) != key.size - 2 ||
            memcmp(signature->parameters[i].name, key.data + 1, key.size - 2) != 0))
        i++;
    return i;
}

/* Whether an object's keys are all names of parameters; `given` gets a bit for each that is there.
 */
static bool is_named_form(const struct signature *signature, struct slice object, uint64_t *given)
{
    const char *p = object.data + 1;
    const char *end = object.data + object.size;
    struct slice key;
    struct slice value;
    _Static_assert(SIGNATURE_MAX_PARAMETERS <= 64, "a bit for each parameter");
    *given = 0;
    while (next_value(&p, end, &key) && next_value(&p, end, &value)) {
        size_t parameter = find_parameter(signature, key);
        if (parameter == signature->count)
            return false;
        *given |= UINT64_C(1) << parameter;
    }
    return true;
}

/* The first required parameter that was not given, or NULL. */
static const char *missing_parameter(const struct signature *signature, uint64_t given)
{
    for (size_t i = 0; i < signature->required; i++)
        if ((given >> i & 1) == 0)
            return signature->parameters[i].name;
    return NULL;
}

static int bind_single(const char *p, const char *end, struct buffer *out, struct buffer *why)
{
    struct slice argument;
    struct slice more;
    if (!next_value(&p, end, &argument)) {
        buffer_string(out, "{}");
    } else if (next_value(&p, end, &more)) {
        buffer_string(why, "this function takes one argument, an object");
        return PAWL_E_ARGUMENT;
    } else {
        buffer_append(out, argument.data, argument.size);
    }
    return out->failed;
}

int signature_bind(const struct signature *signature, const char *signature_text,
                   const char *arguments, size_t size, struct buffer *out, struct buffer *why)
{
    const char *end = arguments + size;
    const char *p = skip_space(arguments) + 1;
    if (signature == NULL)
        return bind_single(p, end, out, why);

    struct slice values[SIGNATURE_MAX_PARAMETERS];
    struct slice value;
    size_t count = 0;
    while (next_value(&p, end, &value)) {
        if (count < SIGNATURE_MAX_PARAMETERS)
            values[count] = value;
        count++;
    }
    uint64_t given;
    if (count == 1 && values[0].data[0] == '{' && is_named_form(signature, values[0], &given) &&
        (given != 0 || signature->required == 0)) {
        /* {} alone is an argument where one is required: the function may well take an object. */
        const char *missing = missing_parameter(signature, given);
        if (missing != NULL) {
            buffer_format(why, "the argument '%s' is missing: call it as %s", missing,
                          signature_text);
            return PAWL_E_ARGUMENT;
        }
        buffer_append(out, values[0].data, values[0].size);
        return out->failed;
    }
    if (count > signature->count) {
        buffer_format(why, "too many arguments (%zu): call it as %s", count, signature_text);
        return PAWL_E_ARGUMENT;
    }
    if (count < signature->required) {
        buffer_format(why, "the argument '%s' is missing: call it as %s",
                      signature->parameters[count].name, signature_text);
        return PAWL_E_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) {
        buffer_string(out, i == 0 ? "{\"" : ",\"");
        buffer_string(out, signature->parameters[i].name);
        buffer_string(out, "\":");
        buffer_append(out, values[i].data, values[i].size);
    }
    buffer_string(out, count == 0 ? "{}" : "}");
    return out->failed;
}
