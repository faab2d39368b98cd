/* run.h - one run: the services that its provider sees, and the end. */
#ifndef PAWL_CORE_RUN_H
#define PAWL_CORE_RUN_H

#include "core/registry.h"
#include "core/result.h"

/* Runs a request on what it resolved to, on this thread. `cancels` may hold NULLs. PAWL_OK with
 * *result, however the program came out; PAWL_E_MEMORY or PAWL_E_SYSTEM when there can be none. */
int run_request(pawl_registry *registry, const pawl_request *request, const pawl_spec *spec,
                const pawl_cancel *const cancels[2], pawl_result **result, pawl_error **error);

#endif
