#include "tools/pawl/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "core/redact.h"
#include "tools/pawl/process.h"
#include "tools/pawl/toolsfile.h"

__attribute__((format(printf, 2, 3))) static void fail(pawl_call *call, const char *format, ...)
{
    char *message = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&message, format, arguments);
    va_end(arguments);
    pawl_call_fail(call, length < 0 ? "out of memory" : message);
    if (length >= 0)
        free(message);
}

/* Fails a call with what happened and what the command said about it. */
static void fail_with_tail(pawl_call *call, const char *what, const struct process_result *result)
{
    size_t size;
    char *tail = redact(result->tail, result->tail_size, &size);
    if (tail == NULL)
        pawl_call_fail(call, what);
    else if (size == 0)
        fail(call, "%s; nothing on stderr", what);
    else
        fail(call, "%s: %s", what, tail);
    free(tail);
}

static void fail_to_start(pawl_call *call, const struct tool *tool, int number)
{
    const char *program = tool->arguments[0], *advice = "";
    if (number == ENOENT && strchr(program, '/') == NULL)
        advice = " in PATH";
    else if (number == EACCES)
        advice = "; is it executable?";
    else if (number == ENOEXEC)
        advice = "; a script begins with a line #!/path/of/its/interpreter";
    fail(call, "cannot run \"%s\" (in %s): %s%s", program, tool->directory, strerror(number),
         advice);
}

/* Where text stops being UTF-8; `size` when it does not. */
static size_t utf8_end(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        size_t length = document_character(text + at, size - at);
        if (length == 0)
            break;
        at += length;
    }
    return at;
}

static void return_text(pawl_call *call, const char *text, size_t size)
{
    struct json_object *string = json_object_new_string_len(text, (int)size);
    size_t length = 0;
    const char *json =
        string == NULL
            ? NULL
            : json_object_to_json_string_length(string, JSON_C_TO_STRING_NOSLASHESCAPE, &length);
    if (json == NULL)
        pawl_call_fail(call, "out of memory");
    else
        pawl_call_return(call, json, length);
    json_object_put(string);
}

static void answer(pawl_call *call, const struct tool *tool, const struct process_result *result)
{
    const char *output = result->output != NULL ? result->output : "";
    size_t good = utf8_end(output, result->output_size);
    if (good < result->output_size)
        fail(call, "the output of \"%s\" is not UTF-8 text (byte %zu)", tool->arguments[0],
             good + 1);
    else if (tool->returns_text)
        return_text(call, output, result->output_size);
    else if (result->output_size == 0)
        fail(call, "\"%s\" printed nothing where JSON was expected", tool->arguments[0]);
    else
        pawl_call_return(call, output, result->output_size);
}

void command_call(pawl_call *call, void *data)
{
    const struct tool *tool = data;
    struct process process = {
        .arguments = tool->arguments,
        .directory = tool->directory,
        .cancel_fd = pawl_call_cancel_fd(call),
    };
    process.input = pawl_call_arguments(call, &process.input_size);
    if (pawl_call_cancelled(call)) {
        pawl_call_fail(call, "cancelled");
        return;
    }
    __attribute__((cleanup(process_result_clear))) struct process_result result;
    process_run(&process, &result);
    char what[64];
    switch (result.end) {
    case PROCESS_EXITED:
        if (result.number == 0) {
            answer(call, tool, &result);
            break;
        }
        snprintf(what, sizeof(what), "exit status %d", result.number);
        fail_with_tail(call, what, &result);
        break;
    case PROCESS_SIGNALED: {
        const char *name = sigabbrev_np(result.number);
        snprintf(what, sizeof(what), "ended by signal %s%s", name != NULL ? "SIG" : "",
                 name != NULL ? name : "?");
        fail_with_tail(call, what, &result);
        break;
    }
    case PROCESS_TOO_MUCH:
        fail(call, "\"%s\" printed more than %u MiB and was stopped", tool->arguments[0],
             PROCESS_OUTPUT_MAX >> 20);
        break;
    case PROCESS_CANCELLED:
        pawl_call_fail(call, "cancelled");
        break;
    case PROCESS_NOT_STARTED:
        fail_to_start(call, tool, result.number);
        break;
    case PROCESS_FAILED:
        fail(call, "cannot follow \"%s\": %s", tool->arguments[0], strerror(result.number));
        break;
    }
}
