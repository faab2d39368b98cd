/* date.c - the clock is the host's: Date without arguments, Date.now, and Math.random. */
#include "builtins.h"
#include "host.h"

static void D_now(js_State *J)
{
    js_pushnumber(J, host_clock(J));
}

static void new_Date(js_State *J)
{
    int arguments = js_gettop(J) - 1;

    js_getregistry(J, "Date");
    if (arguments == 0)
        js_pushnumber(J, host_clock(J));
    for (int i = 1; i <= arguments; i++)
        js_copy(J, i);
    js_construct(J, arguments == 0 ? 1 : arguments);
}

static void call_Date(js_State *J)
{
    js_getregistry(J, "Date");
    js_pushnumber(J, host_clock(J));
    js_construct(J, 1);
    js_pushstring(J, js_tostring(J, -1));
}

static void copy_method(js_State *J, const char *name)
{
    js_getregistry(J, "Date");
    js_getproperty(J, -1, name);
    js_rot2pop1(J);
    js_defproperty(J, -2, name, JS_DONTENUM);
}

void date_install(js_State *J)
{
    js_getglobal(J, "Date");
    builtins_keep(J, "Date");
    builtins_constructor(J, "Date", call_Date, new_Date, 0);
    copy_method(J, "parse");
    copy_method(J, "UTC");
    builtins_method(J, "now", D_now, 0);
    js_pop(J, 1);

    /* libmujs asks for the time zone once for the process: now, and not inside a program. */
    js_getregistry(J, "Date");
    js_pushnumber(J, 0);
    js_construct(J, 1);
    js_getproperty(J, -1, "getTimezoneOffset");
    js_rot2(J);
    js_call(J, 0);
    js_pop(J, 1);
}

static void Math_random(js_State *J)
{
    js_pushnumber(J, host_random(J));
}

void math_install(js_State *J)
{
    js_getglobal(J, "Math");
    builtins_method(J, "random", Math_random, 0);
    js_pop(J, 1);
}
