/* program.h - one program in one machine, from its text to its result. */
#ifndef MUJS_PROGRAM_H
#define MUJS_PROGRAM_H

#include "vm.h"

/* Runs the program of `run` in the machine, which is in its initial state, and states its end.
 * Returns what pawl_provider.run returns. */
int32_t program_run(struct vm *vm, const struct preempt *preempt, const struct pawl_run *run,
                    const struct pawl_sink *why);

#endif
