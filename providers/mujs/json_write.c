#include "json.h"
#include "keys.h"
#include "text.h"

#include "providers/program/number.h"
#include "providers/program/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INSPECT_DEPTH 8

/*
 * Containers that are being written. The VM sees them in an array on its stack (`holder`), because
 * what toJSON returned is nowhere else.
 */
struct frame {
    const js_Object *object;
    int is_array;
    int next, count; /* of members */
    int keys;        /* of an object: where its keys begin in writer.keys, in bytes */
    int written;     /* members */
};

struct writer {
    js_State *J;
    const struct json_options *options;
    struct json_problem *problem;
    struct buffer *out, *frames, *keys;
    int holder; /* absolute stack index */
    int depth;
};

static struct frame *top(struct writer *w)
{
    return (struct frame *)w->frames->data + w->depth - 1;
}

static struct key *key_of(const struct writer *w, const struct frame *frame, int member)
{
    return (struct key *)(w->keys->data + frame->keys) + member;
}

/* --- What does not cross ------------------------------------------------------------------- */

static int is_identifier(const char *name)
{
    if (*name == 0 || (*name >= '0' && *name <= '9'))
        return 0;
    for (; *name != 0; name++)
        if (!(*name == '_' || *name == '$' || (*name >= '0' && *name <= '9') ||
              (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z')))
            return 0;
    return 1;
}

/* Where the value that is being written stands. */
static void find_path(const struct writer *w, struct program_path *path)
{
    program_path_start(path, w->options->root);
    for (int i = 0; i < w->depth; i++) {
        const struct frame *frame = (const struct frame *)w->frames->data + i;
        int member = frame->next - 1;

        if (frame->is_array) {
            program_path_index(path, (uint64_t)member);
        } else {
            const char *key = key_of(w, frame, member)->name;

            program_path_member(path, key, strlen(key));
        }
    }
}

/* `extra`: an own property of the value that is the problem, or NULL. `subject` is static. */
static int refuse(struct writer *w, const char *extra, const char *what, const char *subject)
{
    struct buffer *message = buffer_push(w->J);
    struct program_path path;

    find_path(w, &path);
    if (extra != NULL)
        program_path_member(&path, extra, strlen(extra));
    buffer_add(w->J, message, path.text, path.length);
    buffer_add_text(w->J, message, " ");
    buffer_add_text(w->J, message, what);
    buffer_add_char(w->J, message, 0);
    w->problem->message = message->data;
    w->problem->subject = subject;
    message->data = NULL; /* it belongs to the caller now */
    return -1;
}

/* The name of the object's constructor, or NULL. Pushes it. */
static const char *constructor_name(js_State *J, int idx)
{
    const char *name = NULL, *paren;
    char *copy;

    js_getproperty(J, idx, "constructor");
    if (!js_iscallable(J, -1))
        return NULL;
    /* libmujs gives functions no name property; their text has it: "function NAME(". */
    js_getregistry(J, "Function.prototype.toString");
    js_rot2(J);
    js_call(J, 0);
    name = js_tostring(J, -1);
    paren = strchr(name, '(');
    if (strncmp(name, "function ", 9) != 0 || paren == NULL || paren == name + 9)
        return NULL;
    copy = js_malloc(J, (int)(paren - name));
    memcpy(copy, name + 9, (size_t)(paren - name - 9));
    copy[paren - name - 9] = 0;
    return copy;
}

static int refuse_instance(struct writer *w)
{
    int base = js_gettop(w->J), result;
    const char *name = constructor_name(w->J, base - 1);
    char what[160];

    if (name == NULL || !is_identifier(name))
        name = js_iserror(w->J, base - 1) ? "Error" : "object of another class";
    snprintf(what, sizeof what, "is %s %.100s, which JSON cannot hold",
             strchr("AEIOUaeiou", name[0]) != NULL ? "an" : "a", name);
    /* Built-in classes have advice of their own. */
    result = refuse(w, NULL, what,
                    js_iserror(w->J, base - 1)    ? "Error"
                    : js_isregexp(w->J, base - 1) ? "RegExp"
                                                  : "instance");
    js_pop(w->J, js_gettop(w->J) - base);
    return result;
}

/* Whether the object at the top is plain: its prototype is Object's, or it has none. */
static int is_plain(js_State *J)
{
    int plain;

    js_getregistry(J, "Object.getPrototypeOf");
    js_pushundefined(J);
    js_copy(J, -3);
    js_call(J, 1);
    if (js_isnull(J, -1)) {
        plain = 1;
    } else {
        js_getregistry(J, "Object.prototype");
        plain = js_toobject(J, -1) == js_toobject(J, -2);
        js_pop(J, 1);
    }
    js_pop(J, 1);
    return plain && !js_iserror(J, -1) && !js_isnumberobject(J, -1) && !js_isstringobject(J, -1) &&
           !js_isbooleanobject(J, -1) && !js_isdateobject(J, -1) && !js_isregexp(J, -1);
}

/* Refuses properties that enumeration did not give. The object is at the top, its `count`
 * enumerable keys are the last in w->keys. */
static int check_hidden(struct writer *w, const struct frame *frame)
{
    js_State *J = w->J;
    int names, result = 1;

    js_getregistry(J, "Object.getOwnPropertyNames");
    js_pushundefined(J);
    js_copy(J, -3);
    js_call(J, 1);
    names = js_getlength(J, -1);
    for (int i = 0; i < names && names != frame->count && result == 1; i++) {
        const char *name;
        int found = 0;

        js_getindex(J, -1, i);
        name = js_intern(J, js_tostring(J, -1));
        js_pop(J, 1);
        for (int k = 0; k < frame->count && !found; k++)
            found = key_of(w, frame, k)->name == name;
        if (!found)
            result = refuse(w, name, "is not enumerable, so JSON would lose it", "hidden");
    }
    if (result == 1)
        js_pop(J, 1);
    return result;
}

/* Refuses arrays with holes and with properties that are no elements. The array is at the top. */
static int check_array(struct writer *w, int length)
{
    js_State *J = w->J;
    int elements = 0, index, hole = 0;
    const char *name, *extra = NULL;

    js_pushiterator(J, -1, 1);
    while (extra == NULL && (name = js_nextiterator(J, -1)) != NULL) {
        if (js_isarrayindex(J, name, &index) && index < length)
            elements++;
        else
            extra = js_intern(J, name);
    }
    js_pop(J, 1);
    if (extra != NULL)
        return refuse(w, extra, "is a property of an array, which JSON cannot hold", "extra");
    if (elements == length)
        return 1;
    while (hole < length && js_hasindex(J, -1, hole)) {
        js_pop(J, 1);
        hole++;
    }
    if (hole == length)
        return 1; /* some elements are not enumerable */
    {
        char step[64];

        snprintf(step, sizeof step, "has no element %d: an array with holes", hole);
        return refuse(w, NULL, step, "sparse");
    }
}

/* --- Writing ------------------------------------------------------------------------------- */

static void add_line(struct writer *w, int level)
{
    if (w->options->indent == NULL)
        return;
    buffer_add_char(w->J, w->out, '\n');
    while (level-- > 0)
        buffer_add_text(w->J, w->out, w->options->indent);
}

static int write_number(struct writer *w, double number)
{
    char text[PROGRAM_NUMBER_SIZE];

    if (!isfinite(number) && w->options->mode == JSON_CROSS)
        return isnan(number)
                   ? refuse(w, NULL, "is NaN", "NaN")
                   : refuse(w, NULL, number > 0 ? "is Infinity" : "is -Infinity", "Infinity");
    if (!isfinite(number) && w->options->mode == JSON_STRINGIFY)
        buffer_add_text(w->J, w->out, "null");
    else if (number == 0 && w->options->mode != JSON_STRINGIFY)
        buffer_add_text(w->J, w->out, signbit(number) ? "-0" : "0");
    else
        buffer_add(w->J, w->out, text, program_number_print(number, text));
    return 1;
}

static int is_ancestor(struct writer *w, const js_Object *object)
{
    for (int i = 0; i < w->depth; i++)
        if (((const struct frame *)w->frames->data)[i].object == object)
            return 1;
    return 0;
}

static int list_keys(struct writer *w, struct frame *frame)
{
    js_State *J = w->J;

    frame->keys = w->keys->size;
    if (w->options->replacer != 0 && js_isarray(J, w->options->replacer)) {
        int names = js_getlength(J, w->options->replacer);

        for (int i = 0; i < names; i++) {
            struct key key = {0};

            js_getindex(J, w->options->replacer, i);
            key.name = js_intern(J, js_tostring(J, -1));
            js_pop(J, 1);
            buffer_add(J, w->keys, &key, sizeof key);
        }
        return names;
    }
    return keys_add(J, -1, w->keys);
}

/* Opens the container at the top of the stack. */
static int open_container(struct writer *w)
{
    js_State *J = w->J;
    struct frame frame = {.object = js_toobject(J, -1), .is_array = js_isarray(J, -1)};
    int status = 1;

    if (is_ancestor(w, frame.object)) {
        if (w->options->mode == JSON_CROSS)
            return refuse(w, NULL, "contains itself", "cycle");
        if (w->options->mode == JSON_STRINGIFY)
            js_typeerror(J, "JSON.stringify: the value contains itself");
        buffer_add_text(J, w->out, "[Circular]");
        return 1;
    }
    if (w->options->mode == JSON_INSPECT && w->depth == INSPECT_DEPTH) {
        buffer_add_text(J, w->out, frame.is_array ? "[…]" : "{…}");
        return 1;
    }
    if (w->depth == JSON_MAX_DEPTH) {
        if (w->options->mode == JSON_CROSS)
            return refuse(w, NULL, "is nested too deeply", "depth");
        js_rangeerror(J, "JSON: the value is nested more than %d deep", JSON_MAX_DEPTH);
    }
    if (frame.is_array) {
        frame.count = js_getlength(J, -1);
        if (w->options->mode == JSON_CROSS)
            status = check_array(w, frame.count);
    } else {
        if (w->options->mode == JSON_CROSS && !is_plain(J))
            return refuse_instance(w);
        frame.count = list_keys(w, &frame);
        if (w->options->mode == JSON_CROSS)
            status = check_hidden(w, &frame);
    }
    if (status != 1)
        return status;
    js_copy(J, -1);
    js_setindex(J, w->holder, w->depth);
    w->frames->size = w->depth * (int)sizeof frame;
    buffer_add(J, w->frames, &frame, sizeof frame);
    w->depth++;
    buffer_add_char(J, w->out, frame.is_array ? '[' : '{');
    return 1;
}

static void close_container(struct writer *w)
{
    const struct frame *frame = top(w);
    int is_array = frame->is_array;

    if (!is_array)
        w->keys->size = frame->keys;
    if (frame->written > 0)
        add_line(w, w->depth - 1);
    w->depth--;
    buffer_add_char(w->J, w->out, is_array ? ']' : '}');
}

/* Replaces the value at the top by what toJSON and the replacer make of it. Below it stands the
 * object that holds it. */
static void transform(struct writer *w, const char *key)
{
    js_State *J = w->J;

    if (w->options->mode == JSON_INSPECT && !js_isdateobject(J, -1))
        return;
    if (js_isobject(J, -1)) {
        js_getproperty(J, -1, "toJSON");
        if (js_iscallable(J, -1)) {
            js_copy(J, -2);
            js_pushstring(J, key);
            js_call(J, 1);
            js_rot2pop1(J);
        } else {
            js_pop(J, 1);
        }
    }
    if (w->options->replacer != 0 && js_iscallable(J, w->options->replacer)) {
        js_copy(J, w->options->replacer);
        js_copy(J, -3);
        js_pushstring(J, key);
        js_copy(J, -4);
        js_call(J, 2);
        js_rot2pop1(J);
    }
}

static void inspect_error(struct writer *w)
{
    js_State *J = w->J;

    js_getregistry(J, "Error.prototype.toString");
    js_copy(J, -2);
    js_call(J, 0);
    text_add_string(J, w->out, js_tostring(J, -1));
    js_pop(J, 1);
}

static int is_boxed(js_State *J)
{
    return js_isnumberobject(J, -1) || js_isstringobject(J, -1) || js_isbooleanobject(J, -1);
}

/* Objects that are written without looking at their properties. 0: it is none. */
static int write_special(struct writer *w)
{
    js_State *J = w->J;

    if (w->options->mode == JSON_CROSS)
        return 0;
    if (is_boxed(J)) {
        if (js_isnumberobject(J, -1))
            write_number(w, js_tonumber(J, -1));
        else if (js_isstringobject(J, -1))
            text_add_json(J, w->out, js_tostring(J, -1));
        else
            buffer_add_text(J, w->out, strcmp(js_tostring(J, -1), "true") == 0 ? "true" : "false");
        return 1;
    }
    if (w->options->mode != JSON_INSPECT)
        return 0;
    if (js_iserror(J, -1)) {
        inspect_error(w);
        return 1;
    }
    if (js_isregexp(J, -1)) {
        text_add_string(J, w->out, js_tostring(J, -1));
        return 1;
    }
    return 0;
}

static int write_function(struct writer *w)
{
    if (w->options->mode == JSON_CROSS)
        return refuse(w, NULL, "is a function", "function");
    buffer_add_text(w->J, w->out, "[Function]");
    return 1;
}

/* Whether the value at the top is written at all as a member of an object. */
static int is_left_out(struct writer *w)
{
    if (w->options->mode == JSON_INSPECT)
        return 0;
    return js_isundefined(w->J, -1) ||
           (w->options->mode == JSON_STRINGIFY && js_iscallable(w->J, -1));
}

/* Writes the value at the top; of a container, its start. */
static int write_start(struct writer *w)
{
    js_State *J = w->J;

    if (js_isundefined(J, -1)) {
        if (w->options->mode == JSON_CROSS)
            return refuse(w, NULL, "is undefined", "undefined");
        buffer_add_text(J, w->out, w->options->mode == JSON_INSPECT ? "undefined" : "null");
    } else if (js_isnull(J, -1)) {
        buffer_add_text(J, w->out, "null");
    } else if (js_isboolean(J, -1)) {
        buffer_add_text(J, w->out, js_toboolean(J, -1) ? "true" : "false");
    } else if (js_isnumber(J, -1)) {
        return write_number(w, js_tonumber(J, -1));
    } else if (js_isstring(J, -1)) {
        text_add_json(J, w->out, js_tostring(J, -1));
    } else if (js_iscallable(J, -1)) {
        if (w->options->mode == JSON_STRINGIFY)
            buffer_add_text(J, w->out, "null"); /* in an array */
        else
            return write_function(w);
    } else if (!write_special(w)) {
        return open_container(w);
    }
    return 1;
}

/* Writes what stands before a member. */
static void add_separator(struct writer *w, struct frame *frame, const char *key)
{
    if (frame->written++ > 0)
        buffer_add_char(w->J, w->out, ',');
    add_line(w, w->depth);
    if (key != NULL) {
        text_add_json(w->J, w->out, key);
        buffer_add_text(w->J, w->out, w->options->indent != NULL ? ": " : ":");
    }
}

static int write_member(struct writer *w)
{
    js_State *J = w->J;
    struct frame *frame = top(w);
    int member = frame->next++, status = 1;
    char index[16];
    const char *key = NULL, *name;

    js_getindex(J, w->holder, w->depth - 1);
    if (frame->is_array) {
        snprintf(index, sizeof index, "%d", member);
        name = index;
        js_getindex(J, -1, member);
    } else {
        name = key = key_of(w, frame, member)->name;
        if (!js_hasproperty(J, -1, key))
            js_pushundefined(J);
    }
    transform(w, name);
    if (key == NULL || !is_left_out(w)) {
        add_separator(w, top(w), key);
        status = write_start(w);
    }
    js_pop(J, 2);
    return status;
}

/* The value is at the top, below it an object that holds it. */
static int write_all(struct writer *w)
{
    transform(w, "");
    if (is_left_out(w))
        return 0;
    if (write_start(w) < 0)
        return -1;
    while (w->depth > 0) {
        const struct frame *frame = top(w);

        if (frame->next == frame->count)
            close_container(w);
        else if (write_member(w) < 0)
            return -1;
    }
    return 1;
}

int json_write(js_State *J, int idx, const struct json_options *options, struct buffer *out,
               struct json_problem *problem)
{
    struct writer w = {.J = J, .options = options, .out = out, .problem = problem};
    int base = js_gettop(J), result;

    if (idx < 0)
        idx += base;
    js_newarray(J);
    w.holder = base;
    w.frames = buffer_push(J);
    w.keys = buffer_push(J);
    js_newobject(J); /* holds the value, as ECMAScript says */
    js_copy(J, idx);
    if (options->mode == JSON_STRINGIFY) {
        js_copy(J, -1);
        js_defproperty(J, -3, "", 0);
    }
    result = write_all(&w);
    buffer_clear(J, w.frames);
    buffer_clear(J, w.keys);
    js_pop(J, js_gettop(J) - base);
    return result;
}
