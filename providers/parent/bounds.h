/* bounds.h - what one run of a child may use, set from outside: memory and processor time. */
#ifndef PARENT_BOUNDS_H
#define PARENT_BOUNDS_H

#include "cgroup.h"
#include "worker.h"

struct bounds {
    struct cgroup group;
    const struct worker *worker;
    bool memory;        /* max_memory was asked for */
    struct text limits; /* members of a JSON object: rlimits that this process may not set on
                           another user's, and that the child sets itself before it begins */
};

/* Whether max_memory can be kept by these children now; `limitable`, as one of them was. PAWL_OK,
 * or PAWL_E_UNSUPPORTED and the reason. [any thread] */
int32_t bounds_can_limit_memory(const struct recipe *recipe, bool limitable, struct text *why);

/* Sets them on a child that is ready, for a run. PAWL_OK, or PAWL_E_UNAVAILABLE and the reason. */
int32_t bounds_set(struct bounds *bounds, const struct worker *worker, const struct pawl_run *run,
                   struct text *why);

/* States what is enforced on this run. */
void bounds_state_facts(const struct bounds *bounds, const struct pawl_run *run);

/* Whether the kernel killed the child because it used too much. */
bool bounds_ran_out_of_memory(const struct bounds *bounds);

/* Kills what is left in the group, waits for the child, and removes the group. */
void bounds_clear(struct bounds *bounds, struct worker *worker);

#endif
