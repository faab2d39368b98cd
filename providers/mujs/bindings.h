/* bindings.h - what a run adds to the globals: its namespaces, their error classes, discover. */
#ifndef MUJS_BINDINGS_H
#define MUJS_BINDINGS_H

#include "vm.h"

void bindings_install(js_State *J);

/* The failed call that the object at `idx` is the error of; 0: none. */
uint64_t bindings_call_of(js_State *J, int idx);

#endif
