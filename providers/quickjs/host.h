/* host.h - what the engine calls: the functions that the module imports, and those that JavaScript
 * calls. All of them act for the execution that the box belongs to. */
#ifndef QUICKJS_HOST_H
#define QUICKJS_HOST_H

#include "engine.h"

/* The `magic` of host functions. */
enum { HOST_TIMER_ONCE, HOST_TIMER_REPEATED };

/* Puts the functions into a new box's table. */
struct engine_functions host_add_functions(struct box *box);

#endif
