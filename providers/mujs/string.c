/* string.c - String's built-ins. Strings are CESU-8 (text.h): libmujs's own methods then count
 * UTF-16 units, as they should. */
#include "builtins.h"
#include "text.h"

#include "providers/program/number.h"

#include <string.h>

/* Pushes what String(value) is; libmujs prints some numbers wrongly. */
static void push_string(js_State *J, int idx)
{
    char text[PROGRAM_NUMBER_SIZE];

    if (js_isnumber(J, idx)) {
        program_number_print(js_tonumber(J, idx), text);
        js_pushstring(J, text);
    } else {
        js_pushstring(J, js_tostring(J, idx));
    }
}

static void call_String(js_State *J)
{
    if (js_gettop(J) > 1)
        push_string(J, 1);
    else
        js_pushliteral(J, "");
}

static void new_String(js_State *J)
{
    call_String(J);
    js_newstring(J, js_tostring(J, -1));
}

static void S_fromCharCode(js_State *J)
{
    int top = js_gettop(J);
    struct buffer *out = buffer_push(J);

    for (int i = 1; i < top; i++)
        text_add_unit(J, out, js_touint16(J, i));
    js_pushlstring(J, out->data != NULL ? out->data : "", out->size);
    buffer_clear(J, out);
}

/* Pushes `this` as a string. */
static const char *this_string(js_State *J)
{
    if (!js_iscoercible(J, 0))
        js_typeerror(J, "a string method was called on null or undefined");
    return js_tostring(J, 0);
}

static void Sp_concat(js_State *J)
{
    int top = js_gettop(J);
    struct buffer *out = buffer_push(J);

    this_string(J);
    for (int i = 0; i < top; i++) {
        push_string(J, i);
        buffer_add_text(J, out, js_tostring(J, -1));
        js_pop(J, 1);
    }
    js_pushlstring(J, out->data != NULL ? out->data : "", out->size);
    buffer_clear(J, out);
}

static int is_space(uint32_t c)
{
    return (c >= 9 && c <= 13) || c == 0x20 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000 || c == 0xfeff;
}

static void trim(js_State *J, int at_start, int at_end)
{
    const char *start = this_string(J), *end, *at;

    for (at = start; at_start && *at != 0 && is_space(text_next(&at));)
        start = at;
    for (end = at = start; *at != 0;)
        if (!is_space(text_next(&at)) || !at_end)
            end = at;
    js_pushlstring(J, start, (int)(end - start));
}

static void Sp_trim(js_State *J)
{
    trim(J, 1, 1);
}

static void Sp_trimStart(js_State *J)
{
    trim(J, 1, 0);
}

static void Sp_trimEnd(js_State *J)
{
    trim(J, 0, 1);
}

static void Sp_localeCompare(js_State *J)
{
    int order = strcmp(this_string(J), js_tostring(J, 1));

    js_pushnumber(J, order < 0 ? -1 : order > 0);
}

void string_install(js_State *J)
{
    builtins_constructor(J, "String", call_String, new_String, 0);
    builtins_method(J, "fromCharCode", S_fromCharCode, 0);
    js_getproperty(J, -1, "prototype");
    builtins_method(J, "concat", Sp_concat, 0);
    builtins_method(J, "trim", Sp_trim, 0);
    builtins_method(J, "trimStart", Sp_trimStart, 0);
    builtins_method(J, "trimEnd", Sp_trimEnd, 0);
    builtins_method(J, "localeCompare", Sp_localeCompare, 1);
    js_pop(J, 2);
}
