/* limits.h - what the child forbids itself before it says `ready`. */
#ifndef CHILD_LIMITS_H
#define CHILD_LIMITS_H

#include "providers/wire/json.h"

/* Closes every descriptor from that one on, before anything else is opened. */
int32_t limits_close_descriptors(unsigned first, struct text *why);

/* No core, no file growth, no new process or thread, few descriptors, no dump, no ptrace by
 * others. The limits on memory and CPU time are set by the parent, because they depend on the
 * run. On success appends `"NAME":NUMBER` members to `locked`. A process that `executes` another
 * program later is left the limit on processes, which would fail that after a change of its user;
 * the lock-down sets it. */
int32_t limits_apply(bool executes, struct text *locked, struct text *why);

/* Sets the limits of a run that its program frame names (`limits`), where the parent may not set
 * them itself. */
int32_t limits_of_run(struct json program, struct text *why);

#endif
