/* program_frame.h - a run, made into the frame that tells a child of it. */
#ifndef PARENT_PROGRAM_FRAME_H
#define PARENT_PROGRAM_FRAME_H

#include <stdbool.h>

#include <pawl/provider.h>

#include "providers/wire/frame.h"

/* Queues the program frame. `now` is CLOCK_MONOTONIC in nanoseconds. `limits` are the
 * members of its object of that name. PAWL_OK, PAWL_E_MEMORY, or PAWL_E_LIMIT if it is too large
 * for any frame. */
int32_t program_frame(struct frame_writer *writer, const struct pawl_run *run, uint64_t now,
                      bool record, const struct text *limits);

/* How many functions the run has; their indexes are below it. */
uint64_t program_functions(const struct pawl_run *run);

#endif
