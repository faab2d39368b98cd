/* program.h - the program frame, made into what an engine is handed. */
#ifndef CHILD_PROGRAM_H
#define CHILD_PROGRAM_H

#include <pawl/provider.h>

#include "providers/wire/json.h"

/* Fills in program, language, budget, policy, namespaces, flags and deadline of `run`; *functions
 * becomes the number of functions, *ask whether clock and random bytes are asked of the parent.
 * What is allocated stays until the process exits. PAWL_OK, PAWL_E_MEMORY, or PAWL_E_STATE with
 * what is wrong in `why`. */
int32_t program_read(struct json frame, struct pawl_run *run, uint32_t *functions, bool *ask,
                     struct text *why);

/* Reads the members of a budget into *budget. False: it is malformed, and `why` says how. */
bool program_read_budget(struct json object, struct pawl_budget *budget, struct text *why);

#endif
