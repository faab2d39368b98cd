#include "builtins.h"
#include "json.h"

#include "providers/mujs/polyfills.h" /* made from polyfills.js */

void builtins_method(js_State *J, const char *name, js_CFunction function, int length)
{
    js_newcfunction(J, function, name, length);
    js_defproperty(J, -2, name, JS_DONTENUM);
}

void builtins_push_prototype(js_State *J, const char *constructor)
{
    js_getglobal(J, constructor);
    js_getproperty(J, -1, "prototype");
    js_rot2pop1(J);
}

void builtins_constructor(js_State *J, const char *name, js_CFunction call, js_CFunction construct,
                          int length)
{
    builtins_push_prototype(J, name);
    js_newcconstructor(J, call, construct, name, length);
    js_copy(J, -1);
    js_defglobal(J, name, JS_DONTENUM);
}

void builtins_keep(js_State *J, const char *name)
{
    js_setregistry(J, name);
}

/* Built-ins that need no C, as the program text that the template evaluates once. */
static void evaluate_polyfills(js_State *J)
{
    js_loadstring(J, "built-in", polyfills);
    js_pushundefined(J);
    js_call(J, 0);
    js_pop(J, 1);
}

void builtins_install(js_State *J)
{
    object_install(J);
    forin_install(J);
    function_install(J);
    array_install(J);
    number_install(J);
    string_install(J);
    uri_install(J);
    math_install(J);
    date_install(J);
    error_install(J);
    json_install(J);
    console_install(J);
    evaluate_polyfills(J);
}
