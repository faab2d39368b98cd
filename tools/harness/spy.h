/*
 * spy.h - a provider between the library and the plugin that is checked. It passes everything on,
 * and remembers what the plugin did that pawl/provider.h forbids.
 */
#ifndef HARNESS_SPY_H
#define HARNESS_SPY_H

#include <stdatomic.h>

#include <pawl/pawl.h>

#include "core/plugin.h"

/* What was found in all runs since spy_forget. */
struct spy_findings {
    atomic_uint runs;
    atomic_uint no_end;       /* runs that returned PAWL_OK, were not over, and had said no end */
    atomic_uint second_end;   /* value or fail said again */
    atomic_uint after_end;    /* other services used after value or fail */
    atomic_uint after_return; /* services used after `run` had returned */
    atomic_uint other_thread; /* services used on another thread than the run's */
    atomic_uint ran_on;       /* calls, logs and values after PAWL_E_ENDED */
    atomic_uint no_status;    /* runs that returned what is no status */
    _Atomic(const char *) service; /* the one that was used wrongly last */
};

/* How the library is to look to the plugin. */
struct spy_guise {
    int newer;           /* the structs that it gets are those of a later minor version */
    int64_t clock;       /* what every reading of the clock gives, in nanoseconds; 0: the time */
    unsigned char seed;  /* what every random byte is; */
    int random_is_fixed; /* ... if it is */
    const char *engine;  /* the path of what every engine is found as; NULL: what is there */
    pawl_cancel *cancel; /* cancelled when a run uses its service number `cancel_at`, from 1 */
    unsigned cancel_at;
    unsigned fail_at;   /* the use of a service that fails for want of memory; 0: none does */
    size_t large_error; /* the size of the message of every failed call; 0: its own */
};

/* The descriptor of the spy on a plugin. There is one spy in a process. */
const struct pawl_provider *spy_on(const struct plugin *plugin);

struct spy_findings *spy_findings(void);
struct spy_guise *spy_guise(void);
void spy_forget(void);

/* The instance of the plugin that was made first and not destroyed since, or NULL. */
void *spy_instance(void);

/* How often the last run since spy_forget used services, but `cancelled` and `settled_fd`. */
unsigned spy_services(void);

/* How often the plugin read the clock and took random bytes since spy_forget. */
unsigned spy_clock_readings(void);
unsigned spy_random_readings(void);

#endif
