/* scenarios.h - what the runs do, and what may come of each. */
#ifndef SOAK_SCENARIOS_H
#define SOAK_SCENARIOS_H

#include <stdatomic.h>
#include <stddef.h>

#include <pawl/pawl.h>

#include "tests/soak/trouble.h"

#define MODERN    (1u << 0) /* in `javascript`, not in `javascript-es5` */
#define CANCELLED (1u << 1) /* somebody cancels it, at any moment */

struct scenario {
    const char *name;
    const char *program;
    const char *kinds; /* separated by spaces: what it may come to; "ok" is a value */
    const char *value; /* of "ok"; NULL: any */
    unsigned weight;
    unsigned flags;
    uint64_t wall_clock; /* milliseconds; 0: much more than it needs */
    uint64_t max_memory; /* bytes; 0: more than it needs */
};

extern const struct scenario scenarios[];
extern const size_t scenario_count;

/* What the functions of a thread's runs have in common. */
struct functions {
    struct handle handle;
    atomic_ulong entered; /* how often a function was called */
};

/* Makes the request of a scenario on a provider. NULL: `error` says why. */
pawl_request *scenario_request(const struct scenario *scenario, const char *provider,
                               const pawl_ring *ring, struct functions *functions,
                               pawl_error **error);

/* Denies tools.denied, and breaks at tools.broken. */
extern const struct pawl_stage scenario_stage;

#endif
