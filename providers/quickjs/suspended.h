/* suspended.h - a program that waits, as bytes: written when its run is put aside, and read again
 * where it goes on, in another process or on another machine.
 *
 * They hold the box's linear memory, as it differs from the template's, and what the host keeps
 * beside it. They can be used by the same build only, and say so. Whoever made them can make the
 * engine do anything, but only inside its box, and everything that leads out of it is checked. */
#ifndef QUICKJS_SUSPENDED_H
#define QUICKJS_SUSPENDED_H

#include "execution.h"

/* Hands the program's state to the host, while it waits and no function of the engine is running.
 * It may be too much for the host, or there may be no memory; then the host knows, and helps
 * itself. */
void suspended_write(struct execution *x);

/* Whether this is the state of a program that this build has suspended. */
bool suspended_is_known(const struct engine *engine, const struct pawl_text *image);

/* Whether its text was erased of types. */
bool suspended_was_erased(const struct pawl_text *image);

/* Makes the box, which is as the template is, and the execution what they were. False: the image is
 * malformed, or there is no memory. */
bool suspended_read(struct execution *x, struct box *box, const struct pawl_text *image);

#endif
