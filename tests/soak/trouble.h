/* trouble.h - a thread that does to runs what may happen to them at any moment: children are
 * killed, and runs are cancelled. */
#ifndef SOAK_TROUBLE_H
#define SOAK_TROUBLE_H

#include <pthread.h>
#include <stdint.h>

#include <pawl/pawl.h>

/* What a run can be cancelled by. It is the run's for so long as it is under way. */
struct handle {
    pthread_mutex_t lock;
    uint64_t run; /* its number, 0: none is under way */
    pawl_cancel *cancel;
    pawl_execution *execution; /* or NULL */
};

void trouble_start(uint64_t seed);
void trouble_stop(void);

/* Ask for it; it happens within some milliseconds. [any thread] */
void trouble_kill(void);
void trouble_cancel(struct handle *handle, uint64_t run);

/* How many processes were killed. */
unsigned trouble_kills(void);

#endif
