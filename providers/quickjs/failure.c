#include "failure.h"

#include <stdio.h>
#include <stdlib.h>

void failure_say(struct execution *x, const char *kind, const char *message)
{
    x->failure.kind = kind;
    x->failure.message.length = 0;
    program_buffer_append(&x->failure.message, message, strlen(message));
}

void failure_of_text(struct execution *x, const struct program_error *error)
{
    failure_say(x, "syntax", error->message);
    x->failure.line = error->line;
    x->failure.column = error->column;
}

/* The first place in the program that a stack names: "…(program:LINE:COLUMN)". Frames of functions
 * of the engine and of the prelude have other names. */
static void locate(struct execution *x, const char *stack, size_t size)
{
    static const char mark[] = FAILURE_FILE ":";
    const char *end = stack + size;
    for (const char *at = stack; at + sizeof mark < end; at++) {
        if (memcmp(at, mark, sizeof mark - 1) != 0 ||
            (at > stack && at[-1] != '(' && at[-1] != ' '))
            continue;
        unsigned line, column;
        char numbers[32];
        snprintf(numbers, sizeof numbers, "%.*s", (int)(end - at - (ptrdiff_t)sizeof mark + 1),
                 at + sizeof mark - 1);
        if (sscanf(numbers, "%u:%u", &line, &column) != 2)
            continue;
        if (program_text_locate(&x->text, line, column, &x->failure.line, &x->failure.column))
            return;
    }
}

/* Copies the text of element `i` of an array that `describe` made. */
static void take_element(struct execution *x, JSValue array, uint32_t i, struct program_buffer *out)
{
    struct vm *vm = &x->vm;
    const JSValue value = JS_GetPropertyUint32(vm, array, i);
    uint32_t size;
    vm_address address;
    const char *text = JS_ToCStringLen(vm, &size, value, &address);
    out->length = 0;
    if (text) {
        program_buffer_append(out, text, size);
        JS_FreeCString(vm, address);
    }
    JS_FreeValue(vm, value);
}

/* Message, place and subject of what was thrown. */
static void describe(struct execution *x, JSValue reason)
{
    struct vm *vm = &x->vm;
    struct failure *failure = &x->failure;
    for (size_t i = 0; i < x->call_error_count; i++) {
        if (x->call_errors[i].error == reason)
            failure->call = x->call_errors[i].id;
    }
    const JSValue array = JS_Call(vm, x->engine->helpers.describe, JS_UNDEFINED, 1, &reason);
    if (JS_IsException(array)) {
        failure_say(x, failure->kind, "the program threw something that cannot be shown");
        return;
    }
    take_element(x, array, 1, &x->buffer);
    if (x->buffer.length > 0)
        locate(x, x->buffer.data, x->buffer.length);
    take_element(x, array, 2, &x->buffer);
    snprintf(failure->subject, sizeof failure->subject, "%.*s", (int)x->buffer.length,
             x->buffer.length ? x->buffer.data : "");
    take_element(x, array, 0, &failure->message);
    JS_FreeValue(vm, array);
}

void failure_of_reason(struct execution *x, JSValue reason)
{
    x->failure.kind = "runtime";
    describe(x, reason);
}

void failure_of_exception(struct execution *x)
{
    failure_of_reason(x, JS_GetException(&x->vm));
}

void failure_of_syntax(struct execution *x)
{
    const JSValue error = JS_GetException(&x->vm);
    x->failure.kind = "syntax";
    describe(x, error);
}

void failure_pending(struct execution *x)
{
    failure_say(x, "pending",
                "the program awaits a promise that nothing can settle: no call is in flight and no "
                "timer is set");
}

void failure_bad_result(struct execution *x, const struct json_problem *problem)
{
    failure_say(x, "bad_result", problem->message);
    snprintf(x->failure.subject, sizeof x->failure.subject, "%s", problem->subject);
}
