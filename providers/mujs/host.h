/*
 * host.h - the host's services, called from inside a program.
 *
 * While one runs, the machine cannot be left; when it says that the run is over, the program is
 * left at once.
 */
#ifndef MUJS_HOST_H
#define MUJS_HOST_H

#include "vm.h"

/* Begins a call, waits until it is settled, and tells how. What the settlement points to is valid
 * until the next service is called. `arguments` is a JSON array in the VM's heap. */
void host_call(js_State *J, uint32_t function, const char *arguments, size_t size,
               struct pawl_settlement *settlement);

void host_log(js_State *J, const char *text, size_t size);

/* The answer is vm->host_text. */
void host_discover(js_State *J, const char *query, size_t size);

/* Milliseconds since 1970. */
double host_clock(js_State *J);

/* From 0 up to, but not including, 1. */
double host_random(js_State *J);

#endif
