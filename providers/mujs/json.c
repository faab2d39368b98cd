#include "json.h"
#include "builtins.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* JSON.parse's reviver: gives it each property of the object at the top, and that object's own
 * value last, which is left there. The C recursion is no deeper than the VM's stack. */
static void revive(js_State *J, const char *name)
{
    js_getproperty(J, -1, name);
    if (js_isobject(J, -1) && !js_iscallable(J, -1)) {
        const char *key;

        js_pushiterator(J, -1, 1);
        while ((key = js_nextiterator(J, -1)) != NULL) {
            key = js_intern(J, key);
            js_rot2(J);
            revive(J, key);
            if (js_isundefined(J, -1)) {
                js_pop(J, 1);
                js_delproperty(J, -1, key);
            } else {
                js_setproperty(J, -2, key);
            }
            js_rot2(J);
        }
        js_pop(J, 1);
    }
    js_copy(J, 2); /* the reviver */
    js_copy(J, -3);
    js_pushstring(J, name);
    js_copy(J, -4);
    js_call(J, 2);
    js_rot2pop1(J);
}

static void JSON_parse(js_State *J)
{
    struct json_error error;

    if (!json_read_string(J, js_tostring(J, 1), &error))
        js_syntaxerror(J, "JSON.parse: %s at byte %lu", error.message,
                       (unsigned long)error.offset + 1);
    if (js_iscallable(J, 2)) {
        js_newobject(J);
        js_rot2(J);
        js_setproperty(J, -2, "");
        revive(J, "");
    }
}

/* The third argument of JSON.stringify as text. */
static const char *indentation(js_State *J, char room[64])
{
    int size = 0;

    if (js_isnumber(J, 3) || js_isnumberobject(J, 3)) {
        int width = js_tointeger(J, 3);

        size = width < 0 ? 0 : width > 10 ? 10 : width;
        memset(room, ' ', (size_t)size);
    } else if (js_isstring(J, 3) || js_isstringobject(J, 3)) {
        const char *text = js_tostring(J, 3), *end = text;

        for (int i = 0; i < 10 && *end != 0; i++)
            text_next(&end);
        size = (int)(end - text);
        memcpy(room, text, (size_t)size);
    }
    room[size] = 0;
    return size > 0 ? room : NULL;
}

static void JSON_stringify(js_State *J)
{
    char indent[64];
    struct json_options options = {.mode = JSON_STRINGIFY};
    struct buffer *out;

    if (js_iscallable(J, 2) || js_isarray(J, 2))
        options.replacer = 2;
    options.indent = indentation(J, indent);
    out = buffer_push(J);
    if (json_write(J, 1, &options, out, NULL) == 0) {
        js_pushundefined(J);
    } else {
        text_push_utf8(J, out->data, (size_t)out->size);
        buffer_clear(J, out);
    }
}

void json_install(js_State *J)
{
    js_getglobal(J, "JSON");
    builtins_method(J, "parse", JSON_parse, 2);
    builtins_method(J, "stringify", JSON_stringify, 3);
    js_pop(J, 1);
}
