/* object.c - Object's built-ins that list properties: in the order of creation (keys.h). */
#include "builtins.h"
#include "keys.h"

static void push_names(js_State *J, const struct buffer *keys, int count)
{
    js_newarray(J);
    for (int i = 0; i < count; i++) {
        js_pushliteral(J, ((const struct key *)keys->data)[i].name);
        js_setindex(J, -2, i);
    }
}

static void O_keys(js_State *J)
{
    struct buffer *keys;
    int count;

    if (!js_isobject(J, 1))
        js_typeerror(J, "Object.keys: not an object");
    keys = buffer_push(J);
    count = keys_add(J, 1, keys);
    push_names(J, keys, count);
    buffer_clear(J, keys);
}

static void O_getOwnPropertyNames(js_State *J)
{
    struct buffer *keys;
    int count, names = js_gettop(J);

    js_getregistry(J, "Object.getOwnPropertyNames");
    js_pushundefined(J);
    js_copy(J, 1);
    js_call(J, 1);
    keys = buffer_push(J);
    count = keys_add_names(J, 1, names, keys);
    push_names(J, keys, count);
    buffer_clear(J, keys);
}

/* Keeps a method of the object at the top. */
static void keep_method(js_State *J, const char *method, const char *as)
{
    js_getproperty(J, -1, method);
    builtins_keep(J, as);
}

void object_install(js_State *J)
{
    js_getglobal(J, "Object");
    keep_method(J, "getPrototypeOf", "Object.getPrototypeOf");
    keep_method(J, "getOwnPropertyNames", "Object.getOwnPropertyNames");
    keep_method(J, "prototype", "Object.prototype");
    builtins_method(J, "keys", O_keys, 1);
    builtins_method(J, "getOwnPropertyNames", O_getOwnPropertyNames, 1);
    js_pop(J, 1);
}
