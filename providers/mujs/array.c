/*
 * array.c - Array's built-ins.
 *
 * libmujs keeps an array flat until an element is deleted, after which it is a tree for good and
 * hundreds of times slower. Its own pop, shift, unshift and splice delete. These set the length.
 */
#include "builtins.h"
#include "flat.h"
#include "sort.h"
#include "text.h"

#include "providers/program/number.h"

#include <limits.h>
#include <string.h>

/* Moves the elements [from, from + count) to `to`, holes included; an array is long enough. */
static void move_elements(js_State *J, int from, int to, int count)
{
    int step = from < to ? -1 : 1;
    int k = from < to ? count - 1 : 0;
    char *elements = flat_elements(J, 0);

    if (elements != NULL && count > 0) {
        memmove(elements + (size_t)to * FLAT_ELEMENT_SIZE,
                elements + (size_t)from * FLAT_ELEMENT_SIZE, (size_t)count * FLAT_ELEMENT_SIZE);
        return;
    }
    for (; count-- > 0; k += step) {
        if (js_hasindex(J, 0, from + k))
            js_setindex(J, 0, to + k);
        else
            js_delindex(J, 0, to + k);
    }
}

/* Makes the array longer without holes: a hole would make it a tree. */
static void append_undefined(js_State *J, int length, int count)
{
    if (!js_isarray(J, 0))
        return;
    for (int k = 0; k < count; k++) {
        js_pushundefined(J);
        js_setindex(J, 0, length + k);
    }
}

static void Ap_pop(js_State *J)
{
    int length = js_getlength(J, 0);

    if (length <= 0) {
        js_setlength(J, 0, 0);
        js_pushundefined(J);
        return;
    }
    js_getindex(J, 0, length - 1);
    if (!js_isarray(J, 0))
        js_delindex(J, 0, length - 1);
    js_setlength(J, 0, length - 1);
}

static void Ap_shift(js_State *J)
{
    int length = js_getlength(J, 0);

    if (length <= 0) {
        js_setlength(J, 0, 0);
        js_pushundefined(J);
        return;
    }
    js_getindex(J, 0, 0);
    move_elements(J, 1, 0, length - 1);
    if (!js_isarray(J, 0))
        js_delindex(J, 0, length - 1);
    js_setlength(J, 0, length - 1);
}

static void Ap_unshift(js_State *J)
{
    int added = js_gettop(J) - 1, length = js_getlength(J, 0);

    if (added > 0) {
        if (length > INT_MAX - added)
            js_rangeerror(J, "array too large");
        append_undefined(J, length, added);
        move_elements(J, 0, added, length);
        for (int i = 0; i < added; i++) {
            js_copy(J, i + 1);
            js_setindex(J, 0, i);
        }
    }
    js_setlength(J, 0, length + added);
    js_pushnumber(J, length + added);
}

/* A relative index as slice and splice take it. */
static int clamp(js_State *J, int idx, int length, int absent)
{
    int i = js_isdefined(J, idx) ? js_tointeger(J, idx) : absent;

    if (i < 0)
        return i < -length ? 0 : length + i;
    return i > length ? length : i;
}

static void Ap_splice(js_State *J)
{
    int arguments = js_gettop(J) - 1, length = js_getlength(J, 0);
    int start, deleted, added = arguments > 2 ? arguments - 2 : 0;

    if (length < 0)
        length = 0;
    start = clamp(J, 1, length, 0);
    if (arguments == 0)
        deleted = 0;
    else if (arguments == 1)
        deleted = length - start;
    else {
        deleted = js_tointeger(J, 2);
        deleted = deleted < 0 ? 0 : deleted > length - start ? length - start : deleted;
    }
    if (added > deleted && length > INT_MAX - (added - deleted))
        js_rangeerror(J, "array too large");

    js_newarray(J);
    for (int k = 0; k < deleted; k++)
        if (js_hasindex(J, 0, start + k))
            js_setindex(J, -2, k);
    if (js_getlength(J, -1) != deleted)
        js_setlength(J, -1, deleted);

    if (added > deleted)
        append_undefined(J, length, added - deleted);
    if (added != deleted)
        move_elements(J, start + deleted, start + added, length - start - deleted);
    if (!js_isarray(J, 0))
        for (int k = length; k > length - deleted + added; k--)
            js_delindex(J, 0, k - 1);
    for (int k = 0; k < added; k++) {
        js_copy(J, 3 + k);
        js_setindex(J, 0, start + k);
    }
    js_setlength(J, 0, length - deleted + added);
}

/* --- sort ---------------------------------------------------------------------------------- */

struct sorting {
    js_State *J;
    int values; /* absolute stack index of the array of values, or of their texts */
};

static int compare_texts(void *context, int a, int b)
{
    const struct sorting *s = context;
    int result;

    js_getindex(s->J, s->values, a);
    js_getindex(s->J, s->values, b);
    result = strcmp(js_tostring(s->J, -2), js_tostring(s->J, -1));
    js_pop(s->J, 2);
    return result;
}

static int compare_by_function(void *context, int a, int b)
{
    const struct sorting *s = context;
    double result;

    js_copy(s->J, 1);
    js_pushundefined(s->J);
    js_getindex(s->J, s->values, a);
    js_getindex(s->J, s->values, b);
    js_call(s->J, 2);
    result = js_tonumber(s->J, -1);
    js_pop(s->J, 1);
    return result < 0 ? -1 : result > 0;
}

static void push_text(js_State *J, int idx)
{
    if (js_isnumber(J, idx)) {
        char text[PROGRAM_NUMBER_SIZE];

        program_number_print(js_tonumber(J, idx), text);
        js_pushstring(J, text);
    } else {
        js_copy(J, idx);
        js_pushstring(J, js_tostring(J, -1));
        js_rot2pop1(J);
    }
}

static void Ap_sort(js_State *J)
{
    int length = js_getlength(J, 0), count = 0, undefined = 0, values, *order;
    struct sorting sorting = {.J = J};
    struct buffer *work;

    if (js_isdefined(J, 1) && !js_iscallable(J, 1))
        js_typeerror(J, "sort: the comparator is not a function");
    js_newarray(J);
    values = js_gettop(J) - 1;
    for (int i = 0; i < length; i++) {
        if (!js_hasindex(J, 0, i))
            continue;
        if (js_isundefined(J, -1)) {
            js_pop(J, 1);
            undefined++;
        } else {
            js_setindex(J, values, count++);
        }
    }
    sorting.values = values;
    if (!js_iscallable(J, 1)) {
        js_newarray(J);
        sorting.values = values + 1;
        for (int i = 0; i < count; i++) {
            js_getindex(J, values, i);
            push_text(J, -1);
            js_setindex(J, sorting.values, i);
            js_pop(J, 1);
        }
    }
    work = buffer_push(J);
    order = (int *)buffer_reserve(J, work, 2 * (size_t)count * sizeof *order);
    for (int i = 0; i < count; i++)
        order[i] = i;
    sort_indices(order, order + count, (size_t)count,
                 js_iscallable(J, 1) ? compare_by_function : compare_texts, &sorting);
    for (int i = 0; i < count; i++) {
        js_getindex(J, values, order[i]);
        js_setindex(J, 0, i);
    }
    for (int i = 0; i < undefined; i++) {
        js_pushundefined(J);
        js_setindex(J, 0, count + i);
    }
    for (int i = count + undefined; i < length; i++)
        js_delindex(J, 0, i);
    buffer_clear(J, work);
    js_copy(J, 0);
}

/* --- join ---------------------------------------------------------------------------------- */

static void Ap_join(js_State *J)
{
    int length = js_getlength(J, 0);
    const char *separator = js_isdefined(J, 1) ? js_tostring(J, 1) : ",";
    struct buffer *out = buffer_push(J);

    for (int i = 0; i < length; i++) {
        if (i > 0)
            buffer_add_text(J, out, separator);
        js_getindex(J, 0, i);
        if (js_isnumber(J, -1)) {
            char text[PROGRAM_NUMBER_SIZE];

            buffer_add(J, out, text, program_number_print(js_tonumber(J, -1), text));
        } else if (js_iscoercible(J, -1)) {
            buffer_add_text(J, out, js_tostring(J, -1));
        }
        js_pop(J, 1);
    }
    js_pushlstring(J, out->data != NULL ? out->data : "", out->size);
    buffer_clear(J, out);
}

void array_install(js_State *J)
{
    builtins_push_prototype(J, "Array");
    builtins_method(J, "join", Ap_join, 1);
    builtins_method(J, "pop", Ap_pop, 0);
    builtins_method(J, "shift", Ap_shift, 0);
    builtins_method(J, "sort", Ap_sort, 1);
    builtins_method(J, "splice", Ap_splice, 0);
    builtins_method(J, "unshift", Ap_unshift, 0);
    js_pop(J, 1);
}
