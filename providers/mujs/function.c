/*
 * function.c - no program text is compiled while a program runs.
 *
 * libmujs prints its stack to standard output at a `debugger` statement, so each text must be
 * looked through before it is compiled (program.c does that once). Programs have no use for more.
 */
#include "builtins.h"

static void no_function(js_State *J)
{
    js_evalerror(J, "Function(text) does not exist here: write the function itself");
}

void function_install(js_State *J)
{
    builtins_push_prototype(J, "Function");
    js_getproperty(J, -1, "toString");
    builtins_keep(J, "Function.prototype.toString");
    js_pop(J, 1);
    builtins_constructor(J, "Function", no_function, no_function, 1);
    js_pop(J, 1);
}
