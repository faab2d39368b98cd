#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "providers/program/json_text.h"
#include "providers/program/path.h"

#define MAX_DEPTH 10000u /* as many as a host takes */

/* An object whose members are being written. */
struct json_frame {
    JSValue object;
    bool is_array, wrote_any;
    uint32_t index, count;
    vm_address names; /* of an object that is no array */
};

struct writer {
    struct vm *vm;
    const struct json_classes *classes;
    const char *root;
    struct json_stack *stack;
    struct program_buffer *out;
    struct json_problem *problem;
};

void json_stack_release(struct json_stack *stack)
{
    free(stack->frame);
    *stack = (struct json_stack){0};
}

/* --- Problems ------------------------------------------------------------------------------------
 */

/* The path to the member that is being written. */
static void describe_place(struct writer *w, struct program_path *path)
{
    program_path_start(path, w->root);
    for (size_t i = 0; i < w->stack->depth; i++) {
        const struct json_frame *frame = &w->stack->frame[i];
        if (frame->is_array) {
            program_path_index(path, frame->index);
            continue;
        }
        const JSValue name =
            JS_AtomToString(w->vm, vm_property_name(w->vm, frame->names, frame->index));
        uint32_t size;
        vm_address text;
        const char *key = JS_ToCStringLen(w->vm, &size, name, &text);
        if (key) {
            program_path_member(path, key, size);
            JS_FreeCString(w->vm, text);
        }
        JS_FreeValue(w->vm, name);
    }
}

__attribute__((format(printf, 3, 4))) static enum json_status
lossy(struct writer *w, const char *subject, const char *format, ...)
{
    struct program_path path;
    describe_place(w, &path);
    char what[200];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(w->problem->message, sizeof w->problem->message, "%s %s", path.text, what);
    snprintf(w->problem->subject, sizeof w->problem->subject, "%s", subject);
    return JSON_LOSSY;
}

/* An object of a class that JSON does not have. */
static enum json_status lossy_object(struct writer *w, JSValue value)
{
    struct vm *vm = w->vm;
    char name[64] = "an object of a class of its own";
    const JSValue result = JS_Call(vm, w->classes->class_name, JS_UNDEFINED, 1, &value);
    if (JS_IsException(result)) {
        JS_FreeValue(vm, JS_GetException(vm));
    } else {
        uint32_t size;
        vm_address text;
        const char *given = JS_ToCStringLen(vm, &size, result, &text);
        if (given) {
            snprintf(name, sizeof name, "%.*s", size < 60 ? (int)size : 60, given);
            JS_FreeCString(vm, text);
        }
        JS_FreeValue(vm, result);
    }
    /* What it is to the program's author, rather than the name of a class of theirs. */
    const char *subject = name;
    if (JS_IsError(vm, value))
        subject = "Error";
    else if (JS_PromiseState(vm, value) >= 0)
        subject = "Promise";
    else if (strstr(name, "Iterator") || strstr(name, "Generator"))
        subject = "iterator";
    else if (JS_GetClassID(vm, value) == w->classes->object)
        subject = "instance";
    return lossy(w, subject, "is %s %s, which JSON cannot hold",
                 strchr("AEIO", name[0]) ? "an" : "a", name);
}

/* --- Writing -------------------------------------------------------------------------------------
 */

static enum json_status put(struct writer *w, const char *text, size_t size)
{
    if (program_buffer_append(w->out, text, size))
        return JSON_OK;
    return w->out->is_over ? JSON_TOO_LONG : JSON_NO_MEMORY;
}

static enum json_status put_string(struct writer *w, JSValue value)
{
    uint32_t size;
    vm_address text;
    const char *data = JS_ToCStringLen(w->vm, &size, value, &text);
    if (!data)
        return JSON_THREW;
    const bool done = program_json_put_string(w->out, data, size);
    JS_FreeCString(w->vm, text);
    if (done)
        return JSON_OK;
    return w->out->is_over ? JSON_TOO_LONG : JSON_NO_MEMORY;
}

static enum json_status put_number(struct writer *w, JSValue value)
{
    char text[24];
    if (JS_IsInt(value))
        return put(w, text, (size_t)snprintf(text, sizeof text, "%d", JS_VALUE_GET_INT(value)));
    const double number = JS_VALUE_GET_FLOAT64(value);
    if (isnan(number))
        return lossy(w, "NaN", "is NaN");
    if (isinf(number))
        return lossy(w, "Infinity", "is %sInfinity", number < 0 ? "-" : "");
    if (number == 0)
        return put(w, signbit(number) ? "-0" : "0", signbit(number) ? 2 : 1);
    uint32_t size;
    vm_address address;
    const char *digits = JS_ToCStringLen(w->vm, &size, value, &address);
    if (!digits)
        return JSON_THREW;
    const enum json_status status = put(w, digits, size);
    JS_FreeCString(w->vm, address);
    return status;
}

static bool is_being_written(struct writer *w, JSValue object)
{
    for (size_t i = w->stack->depth; i > 0; i--) {
        if (w->stack->frame[i - 1].object == object)
            return true;
    }
    return false;
}

/* A place one step below the one that is being written, named by an atom. */
static enum json_status lossy_member(struct writer *w, JSAtom name, const char *subject,
                                     const char *what)
{
    struct program_path path;
    describe_place(w, &path);
    const JSValue text = JS_AtomToString(w->vm, name);
    uint32_t size;
    vm_address address;
    const char *key = JS_ToCStringLen(w->vm, &size, text, &address);
    program_path_member(&path, key ? key : "", key ? size : 0);
    if (key)
        JS_FreeCString(w->vm, address);
    JS_FreeValue(w->vm, text);
    snprintf(w->problem->message, sizeof w->problem->message, "%s %s", path.text, what);
    snprintf(w->problem->subject, sizeof w->problem->subject, "%s", subject);
    return JSON_LOSSY;
}

/* An element that is not there, of the array that is being written. */
static enum json_status lossy_index(struct writer *w, uint32_t index)
{
    struct program_path path;
    describe_place(w, &path);
    program_path_index(&path, index);
    snprintf(w->problem->message, sizeof w->problem->message,
             "%s is a hole: the array is sparse, it has no element at %" PRIu32, path.text, index);
    snprintf(w->problem->subject, sizeof w->problem->subject, "sparse");
    return JSON_LOSSY;
}

static enum json_status own_names(struct writer *w, JSValue object, vm_address *names,
                                  uint32_t *count, uint32_t flags)
{
    return JS_GetOwnPropertyNames(w->vm, names, count, object, flags) < 0 ? JSON_THREW : JSON_OK;
}

/* Everything an array owns must be its elements: no holes, no other properties. Its elements come
 * first among its names, in order, and behind them the name `length`. */
static enum json_status check_array(struct writer *w, JSValue array, uint32_t *length)
{
    struct vm *vm = w->vm;
    const int64_t size = JS_GetLength(vm, array);
    if (size < 0)
        return JSON_THREW;
    vm_address names;
    uint32_t count;
    enum json_status status =
        own_names(w, array, &names, &count, JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK);
    if (status != JSON_OK)
        return status;
    *length = (uint32_t)size;
    if ((uint64_t)size + 1 != count) {
        uint32_t i = 0;
        while (i < count && i < size && vm_property_name(vm, names, i) == JS_ATOM_OF_INDEX(i))
            i++;
        if (i < size)
            status = lossy_index(w, i);
        else
            status = lossy_member(w, vm_property_name(vm, names, count - 1), "extra",
                                  "is an extra property of an array, which JSON cannot hold");
    }
    JS_FreePropertyEnum(vm, names, count);
    return status;
}

/* Finds the property of `all` that is not among the enumerable ones, and says what is wrong with
 * it. */
static enum json_status lossy_property(struct writer *w, JSValue object, vm_address kept,
                                       uint32_t kept_count)
{
    struct vm *vm = w->vm;
    vm_address names;
    uint32_t count;
    enum json_status status = own_names(w, object, &names, &count, JS_GPN_SYMBOL_MASK);
    if (status != JSON_OK)
        return status;
    const bool has_symbol = count > 0;
    JS_FreePropertyEnum(vm, names, count);
    if (has_symbol)
        return lossy(w, "symbol", "has a property that is named by a symbol");
    status = own_names(w, object, &names, &count, JS_GPN_STRING_MASK);
    if (status != JSON_OK)
        return status;
    uint32_t i = 0;
    while (i < count && i < kept_count &&
           vm_property_name(vm, names, i) == vm_property_name(vm, kept, i))
        i++;
    status = i < count ? lossy_member(w, vm_property_name(vm, names, i), "", "is not enumerable")
                       : lossy(w, "", "has a property that is not enumerable");
    JS_FreePropertyEnum(vm, names, count);
    return status;
}

/* Every own property must be enumerable and named by a string. */
static enum json_status check_names(struct writer *w, JSValue object, vm_address *names,
                                    uint32_t *count)
{
    uint32_t all;
    enum json_status status =
        own_names(w, object, names, &all, JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK);
    if (status != JSON_OK)
        return status;
    JS_FreePropertyEnum(w->vm, *names, all);
    status = own_names(w, object, names, count, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY);
    if (status != JSON_OK || all == *count)
        return status;
    status = lossy_property(w, object, *names, *count);
    JS_FreePropertyEnum(w->vm, *names, *count);
    return status;
}

static enum json_status enter(struct writer *w, JSValue object)
{
    struct vm *vm = w->vm;
    if (JS_IsProxy(vm, object))
        return lossy(w, "proxy", "is a Proxy");
    if (JS_IsFunction(vm, object))
        return lossy(w, "function", "is a function");
    if (is_being_written(w, object))
        return lossy(w, "cycle", "contains itself (a cycle)");
    const uint32_t class = JS_GetClassID(vm, object);
    const bool is_array = class == w->classes->array;
    if (!is_array) {
        const JSValue prototype = JS_GetPrototype(vm, object);
        JS_FreeValue(vm, prototype); /* the object holds it */
        if (class != w->classes->object ||
            (!JS_IsNull(prototype) && prototype != w->classes->object_prototype))
            return lossy_object(w, object);
    }

    struct json_frame frame = {.object = object, .is_array = is_array};
    const enum json_status status = is_array ? check_array(w, object, &frame.count)
                                             : check_names(w, object, &frame.names, &frame.count);
    if (status != JSON_OK)
        return status;
    struct json_stack *stack = w->stack;
    if (stack->depth == MAX_DEPTH)
        return lossy(w, "depth", "is nested too deeply");
    if (stack->depth == stack->capacity) {
        const size_t capacity = stack->capacity ? stack->capacity * 2 : 16;
        struct json_frame *grown = realloc(stack->frame, capacity * sizeof *grown);
        if (!grown)
            return JSON_NO_MEMORY;
        stack->frame = grown;
        stack->capacity = capacity;
    }
    stack->frame[stack->depth++] = frame;
    return put(w, is_array ? "[" : "{", 1);
}

static enum json_status leave(struct writer *w)
{
    struct json_frame *frame = &w->stack->frame[w->stack->depth - 1];
    const bool is_array = frame->is_array;
    if (!is_array)
        JS_FreePropertyEnum(w->vm, frame->names, frame->count);
    JS_FreeValue(w->vm, frame->object);
    w->stack->depth--;
    return put(w, is_array ? "]" : "}", 1);
}

/* The key that toJSON is told: the member's that is being written. */
static JSValue current_key(struct writer *w)
{
    if (w->stack->depth == 0)
        return JS_NewStringLen(w->vm, "", 0);
    const struct json_frame *frame = &w->stack->frame[w->stack->depth - 1];
    return JS_AtomToString(w->vm, frame->is_array
                                      ? JS_ATOM_OF_INDEX(frame->index)
                                      : vm_property_name(w->vm, frame->names, frame->index));
}

/* What toJSON makes of an object; takes the value over. */
static enum json_status replace(struct writer *w, JSValue *value)
{
    struct vm *vm = w->vm;
    if (JS_IsProxy(vm, *value))
        return JSON_OK;
    const JSValue method = JS_GetProperty(vm, *value, w->classes->to_json);
    if (JS_IsException(method))
        return JSON_THREW;
    if (!JS_IsFunction(vm, method)) {
        JS_FreeValue(vm, method);
        return JSON_OK;
    }
    const JSValue key = current_key(w);
    const JSValue result = JS_Call(vm, method, *value, 1, &key);
    JS_FreeValue(vm, key);
    JS_FreeValue(vm, method);
    if (JS_IsException(result))
        return JSON_THREW;
    JS_FreeValue(vm, *value);
    *value = result;
    return JSON_OK;
}

/* Writes a value that is neither undefined nor an object's member that is left out, or enters it.
 * Takes the value over when it is entered, and says so. */
static enum json_status write_value(struct writer *w, JSValue value, bool *entered)
{
    *entered = false;
    switch (JS_VALUE_GET_TAG(value)) {
    case JS_TAG_NULL:
        return put(w, "null", 4);
    case JS_TAG_BOOL:
        return JS_VALUE_GET_INT(value) ? put(w, "true", 4) : put(w, "false", 5);
    case JS_TAG_STRING:
    case JS_TAG_STRING_ROPE:
        return put_string(w, value);
    case JS_TAG_UNDEFINED:
        return lossy(w, "undefined", "is undefined");
    case JS_TAG_SYMBOL:
        return lossy(w, "symbol", "is a symbol");
    case JS_TAG_OBJECT: {
        const size_t depth = w->stack->depth;
        const enum json_status status = enter(w, value);
        *entered = w->stack->depth > depth;
        return status;
    }
    default:
        if (JS_IsInt(value) || JS_IsFloat64(value))
            return put_number(w, value);
        return lossy(w, "bigint", "is a BigInt");
    }
}

/* The next member of the innermost object. JSON_NOTHING: it is left out. */
static enum json_status write_member(struct writer *w)
{
    struct vm *vm = w->vm;
    struct json_frame *frame = &w->stack->frame[w->stack->depth - 1];
    const JSAtom name = frame->is_array ? 0 : vm_property_name(vm, frame->names, frame->index);
    JSValue value = frame->is_array ? JS_GetPropertyUint32(vm, frame->object, frame->index)
                                    : JS_GetProperty(vm, frame->object, name);
    if (JS_IsException(value))
        return JSON_THREW;
    enum json_status status = JS_IsObject(value) ? replace(w, &value) : JSON_OK;
    frame = &w->stack->frame[w->stack->depth - 1];
    if (status == JSON_OK && !frame->is_array && JS_IsUndefined(value))
        return JSON_NOTHING;
    if (status == JSON_OK && frame->wrote_any)
        status = put(w, ",", 1);
    frame->wrote_any = true;
    if (status == JSON_OK && !frame->is_array) {
        const JSValue key = JS_AtomToString(vm, name);
        status = put_string(w, key);
        JS_FreeValue(vm, key);
        if (status == JSON_OK)
            status = put(w, ":", 1);
    }
    bool entered = false;
    if (status == JSON_OK)
        status = write_value(w, value, &entered);
    if (!entered)
        JS_FreeValue(vm, value);
    return status;
}

/* Drops what a failed write still holds. */
static void abandon(struct writer *w)
{
    while (w->stack->depth > 0) {
        struct json_frame *frame = &w->stack->frame[--w->stack->depth];
        if (!frame->is_array)
            JS_FreePropertyEnum(w->vm, frame->names, frame->count);
        JS_FreeValue(w->vm, frame->object);
    }
}

enum json_status json_write(struct vm *vm, const struct json_classes *classes, JSValue value,
                            const char *root, struct json_stack *stack, struct program_buffer *out,
                            struct json_problem *problem)
{
    struct writer w = {vm, classes, root, stack, out, problem};
    stack->depth = 0;
    value = JS_DupValue(vm, value);
    enum json_status status = JS_IsObject(value) ? replace(&w, &value) : JSON_OK;
    bool entered = false;
    if (status == JSON_OK)
        status = JS_IsUndefined(value) ? JSON_NOTHING : write_value(&w, value, &entered);
    if (!entered)
        JS_FreeValue(vm, value);
    while (status == JSON_OK && stack->depth > 0) {
        struct json_frame *frame = &stack->frame[stack->depth - 1];
        if (frame->index == frame->count) {
            status = leave(&w);
            if (stack->depth > 0)
                stack->frame[stack->depth - 1].index++;
            continue;
        }
        const size_t depth = stack->depth;
        status = write_member(&w);
        if (status == JSON_NOTHING)
            status = JSON_OK;
        /* A member that was entered is counted when it is left. */
        if (status == JSON_OK && stack->depth == depth)
            stack->frame[depth - 1].index++;
    }
    if (status != JSON_OK)
        abandon(&w);
    return status;
}
