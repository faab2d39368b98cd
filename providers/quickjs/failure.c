#include "failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

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
static struct place first_place(const char *stack, size_t size)
{
    static const char mark[] = FAILURE_FILE ":";
    const char *end = stack + size;
    for (const char *at = stack; at + sizeof mark < end; at++) {
        if (memcmp(at, mark, sizeof mark - 1) != 0 ||
            (at > stack && at[-1] != '(' && at[-1] != ' '))
            continue;
        char numbers[32];
        struct place place;
        snprintf(numbers, sizeof numbers, "%.*s", (int)(end - at - (ptrdiff_t)sizeof mark + 1),
                 at + sizeof mark - 1);
        if (sscanf(numbers, "%u:%u", &place.line, &place.column) == 2)
            return place;
    }
    return (struct place){0, 0};
}

/* The longest name of what was called, and the longest program that is searched for it each time.
 */
#define CALLEE_SIZE 200
#define NAMED_MAX   ((size_t)256 << 10)

/* The text in the linear memory, as a format: without what vsnprintf would take for arguments. */
static vm_address copy_format(struct vm *vm, const char *text)
{
    char format[2 * (CALLEE_SIZE + 32)];
    size_t length = 0;
    for (; *text && length + 2 < sizeof format; text++) {
        if (*text == '%')
            format[length++] = '%';
        format[length++] = *text;
    }
    return vm_copy_in(vm, format, length);
}

uint32_t failure_words(struct box *box, uint32_t message)
{
    struct execution *x = box->host;
    struct vm *vm = &x->vm;
    if (x->is_wording || x->text.length > NAMED_MAX)
        return message;
    x->is_wording = true;
    const JSValue stack = JS_Call(vm, x->engine->helpers.where, JS_UNDEFINED, 0, NULL);
    x->is_wording = false;
    if (JS_IsException(stack)) {
        JS_FreeValue(vm, JS_GetException(vm));
        return message;
    }
    char callee[CALLEE_SIZE] = "";
    uint32_t size;
    vm_address address;
    const char *text = JS_ToCStringLen(vm, &size, stack, &address);
    if (text) {
        const char *end = memchr(text, '\n', size);
        struct place place = first_place(text, end ? (size_t)(end - text) : size);
        place_of_call(x->text.text, x->text.length, &place, callee, sizeof callee);
        JS_FreeCString(vm, address);
    }
    JS_FreeValue(vm, stack);
    if (callee[0] == '\0')
        return message;
    char words[sizeof callee + 32];
    snprintf(words, sizeof words, "%s is not a function", callee);
    if (x->words)
        vm_free(vm, x->words);
    return x->words = copy_format(vm, words);
}

/* The function of a stack's first line, "    at NAME (native)". */
static void native_name(const char *stack, size_t size, char *name, size_t name_size)
{
    static const char start[] = "    at ", end[] = " (native)";
    const char *line_end = memchr(stack, '\n', size);
    const size_t length = line_end ? (size_t)(line_end - stack) : size;
    if (length > sizeof start + sizeof end && memcmp(stack, start, sizeof start - 1) == 0 &&
        memcmp(stack + length - (sizeof end - 1), end, sizeof end - 1) == 0)
        snprintf(name, name_size, "%.*s", (int)(length - (sizeof start - 1) - (sizeof end - 1)),
                 stack + sizeof start - 1);
}

/* A class that is called without `new` stands in the stack as if it ran. Takes its frame, the first
 * line, off the stack and makes a message of its name. */
static void name_class(struct execution *x, struct program_buffer *stack)
{
    static const char start[] = "    at ";
    const char *line_end = memchr(stack->data, '\n', stack->length);
    const size_t length = line_end ? (size_t)(line_end - stack->data) + 1 : 0;
    if (length <= sizeof start || memcmp(stack->data, start, sizeof start - 1) != 0)
        return;
    const char *name = stack->data + sizeof start - 1;
    const char *end = memchr(name, ' ', (size_t)(line_end - name));
    if (end) {
        char message[256];
        snprintf(message, sizeof message,
                 "TypeError: Class constructor %.*s cannot be invoked without 'new'",
                 (int)(end - name), name);
        failure_say(x, x->failure.kind, message);
    }
    stack->length -= length;
    memmove(stack->data, stack->data + length, stack->length);
}

static bool is_message(const struct execution *x, const char *message)
{
    return x->failure.message.length == strlen(message) &&
           memcmp(x->failure.message.data, message, x->failure.message.length) == 0;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text);
    return size >= strlen(end) && strcmp(text + size - strlen(end), end) == 0;
}

/* The name between the first two quotes of a message. */
static void quoted(const char *message, char *name, size_t size)
{
    const char *from = strchr(message, '\'');
    const char *to = from ? strchr(from + 1, '\'') : NULL;
    name[0] = '\0';
    if (to)
        snprintf(name, size, "%.*s", (int)(to - from - 1), from + 1);
}

/* A message that failure_words made, or that has the same words: *place becomes the call's. */
static bool is_of_call(const struct execution *x, const char *message, struct place *place)
{
    static const char end[] = " is not a function";
    if (!ends_with(message, end))
        return false;
    char callee[CALLEE_SIZE];
    char words[sizeof "TypeError: " + sizeof callee + sizeof end];
    struct place call = *place;
    place_of_call(x->text.text, x->text.length, &call, callee, sizeof callee);
    snprintf(words, sizeof words, "TypeError: %s%s", callee, end);
    if (strcmp(words, message) != 0)
        return false;
    *place = call;
    return true;
}

/* Where in the program the error was made, out of the engine's place for it; `maker`: the built-in
 * or binding that made it, or NULL. */
static void locate(struct execution *x, struct place place, const char *maker)
{
    struct failure *failure = &x->failure;
    const char *text = x->text.text;
    const size_t length = x->text.length;
    char message[256];
    char name[200];
    snprintf(message, sizeof message, "%.*s", (int)failure->message.length,
             failure->message.length ? failure->message.data : "");
    if (maker) {
        place_of_error(text, length, &place, maker);
    } else if (is_of_call(x, message, &place)) {
        /* that is the place */
    } else if (strstr(message, "'Symbol.iterator'") || ends_with(message, "is not iterable")) {
        place_of_iteration(text, length, &place);
        if (strstr(message, "'Symbol.iterator'")) {
            snprintf(name, sizeof name, "TypeError: %s is not iterable",
                     ends_with(message, "of null") ? "null" : "undefined");
            failure_say(x, failure->kind, name);
        }
        failure->subject[0] = '\0';
    } else if (starts_with(message, "TypeError: cannot read property") ||
               starts_with(message, "TypeError: cannot set property") ||
               starts_with(message, "TypeError: Cannot convert undefined or null") ||
               starts_with(message, "TypeError: private class field")) {
        quoted(message, name, sizeof name);
        place_of_property(text, length, &place, name);
    } else if (ends_with(message, "is read-only")) {
        quoted(message, name, sizeof name);
        place_of_assignment(text, length, &place, name);
    } else if (!ends_with(message, " is not defined") &&
               !ends_with(message, "is not initialized")) {
        place_of_error(text, length, &place, NULL);
    }
    x->place = place;
    program_text_locate(&x->text, place.line, place.column, &failure->line, &failure->column);
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
    const struct pawl_function *function = NULL;
    for (size_t i = 0; i < x->call_error_count; i++) {
        if (x->call_errors[i].error == reason) {
            failure->call = x->call_errors[i].id;
            function = x->call_errors[i].function;
        }
    }
    const JSValue array = JS_Call(vm, x->engine->helpers.describe, JS_UNDEFINED, 1, &reason);
    if (JS_IsException(array)) {
        failure_say(x, failure->kind, "the program threw something that cannot be shown");
        return;
    }
    take_element(x, array, 0, &failure->message);
    take_element(x, array, 2, &x->buffer);
    snprintf(failure->subject, sizeof failure->subject, "%.*s", (int)x->buffer.length,
             x->buffer.length ? x->buffer.data : "");
    take_element(x, array, 1, &x->buffer);
    JS_FreeValue(vm, array);
    if (x->buffer.length == 0)
        return;
    if (is_message(x, "TypeError: class constructors must be invoked with 'new'"))
        name_class(x, &x->buffer);
    char maker[128] = "";
    const struct place place = first_place(x->buffer.data, x->buffer.length);
    native_name(x->buffer.data, x->buffer.length, maker, sizeof maker);
    if (function)
        snprintf(maker, sizeof maker, "%s", function->name);
    locate(x, place, maker[0] ? maker : NULL);
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
