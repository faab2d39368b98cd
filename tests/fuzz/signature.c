/* libFuzzer: a signature, then arguments. What binds is JSON, an object when there is a signature,
 * with no parameter that the signature does not have. Input: the signature, a line end, the
 * arguments. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/signature.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_signature(const struct signature *signature)
{
    require(signature->required <= signature->count);
    require(signature->count <= SIGNATURE_MAX_PARAMETERS);
    for (size_t i = 0; i < signature->count; i++)
        require(signature->parameters[i].optional == (i >= signature->required));
}

/* The caller's text need not end in NUL: a reader that goes too far reads what is not its own. */
static char *copy_exactly(const char *text, size_t size)
{
    char *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, text, size);
    return copy;
}

static void check_binding(const struct signature *signature, const char *text,
                          const char *arguments, size_t size)
{
    struct buffer out BUFFER_CLEANUP = {0};
    struct buffer why BUFFER_CLEANUP = {0};
    int status = signature_bind(signature, text, arguments, size, &out, &why);
    require(status == PAWL_OK || status == PAWL_E_ARGUMENT);
    require((status == PAWL_OK) == (why.size == 0));
    if (status != PAWL_OK)
        return;
    require(json_is_valid(out.data, out.size, NULL));
    require(signature == NULL || json_first(out.data, out.size) == '{');
    if (signature == NULL)
        return;
    /* What was bound by name binds to itself. */
    struct buffer again BUFFER_CLEANUP = {0};
    struct buffer array BUFFER_CLEANUP = {0};
    buffer_string(&array, "[");
    buffer_append(&array, out.data, out.size);
    buffer_string(&array, "]");
    status = signature_bind(signature, text, array.data, array.size, &again, &why);
    require(status == PAWL_OK && again.size == out.size &&
            memcmp(again.data, out.data, out.size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line_end = memchr(data, '\n', size);
    if (line_end == NULL)
        return 0;
    size_t signature_size = (size_t)(line_end - (const char *)data);
    char *text = calloc(1, signature_size + 1);
    if (text == NULL)
        abort();
    memcpy(text, data, signature_size);
    size_t arguments_size = size - signature_size - 1;
    char *arguments = copy_exactly(line_end + 1, arguments_size);
    struct signature signature;
    pawl_error *error = NULL;
    bool parsed = signature_parse(text, "f", &signature, &error) == PAWL_OK;
    if (parsed)
        check_signature(&signature);
    else
        require(error != NULL && pawl_error_message(error)[0] != '\0');
    if (json_is_valid(arguments, arguments_size, NULL) &&
        json_first(arguments, arguments_size) == '[') {
        check_binding(NULL, NULL, arguments, arguments_size);
        if (parsed)
            check_binding(&signature, text, arguments, arguments_size);
    }
    if (parsed)
        signature_clear(&signature);
    pawl_error_free(error);
    free(arguments);
    free(text);
    return 0;
}
