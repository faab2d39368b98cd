/*
 * builtins.h - the built-ins of the template: where libmujs is wrong, slow or unsafe, ours stand in
 * their place.
 *
 * What our C code calls later is kept in the state's registry, which programs cannot reach, so that
 * it works whatever a program does to its globals.
 */
#ifndef MUJS_BUILTINS_H
#define MUJS_BUILTINS_H

#include "libmujs.h"

void builtins_install(js_State *J);

/* Each installs one part; json_install is in json.h. */
void array_install(js_State *J);
void console_install(js_State *J);
void date_install(js_State *J);
void error_install(js_State *J);
void forin_install(js_State *J);
void function_install(js_State *J);
void math_install(js_State *J);
void number_install(js_State *J);
void object_install(js_State *J);
void string_install(js_State *J);
void uri_install(js_State *J);

/* For them: defines a method, not enumerable, of the object at the top of the stack. `name` is
 * static. */
void builtins_method(js_State *J, const char *name, js_CFunction function, int length);

/* Pushes the prototype of the built-in constructor of that name. */
void builtins_push_prototype(js_State *J, const char *constructor);

/* Replaces the constructor of that name, and leaves the new one on the stack. */
void builtins_constructor(js_State *J, const char *name, js_CFunction call, js_CFunction construct,
                          int length);

/* Keeps what is at the top under that name in the registry, and pops it. */
void builtins_keep(js_State *J, const char *name);

#endif
