/*
 * calls.h - the calls of one run: counted, judged by the ring, run on worker threads, settled.
 *
 * Calls start in the order in which they were begun. Concurrent ones overlap up to a limit; any
 * other runs alone. They settle in the order in which they end. A host function that does not come
 * back when the run ends is told, given a short grace, and left behind: what it answers later is
 * dropped.
 */
#ifndef PAWL_CORE_CALLS_H
#define PAWL_CORE_CALLS_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/buffer.h"
#include "core/result.h"

struct calls;

/* What the calls of a run go by. Nothing is copied but the values. */
struct calls_setup {
    const pawl_request *request;
    const pawl_cancel *cancels[2]; /* either may be NULL */
    struct workers *workers;
    uint64_t max_calls;
    uint64_t max_bytes;
    uint64_t deadline; /* clock_now(); 0: none; later by the time that stages waited */
};

/* NULL: no memory. */
struct calls *calls_new(const struct calls_setup *setup);

/* Why the run is over, PAWL_END_*: looks at the clock and the tokens. [any thread; safe in a signal
 * handler] */
uint32_t calls_end(struct calls *calls);

/* Ends the run, unless it is over already. `reason` may be CALLS_FINISHED: then it ended by itself,
 * and nothing can end it any more. True if this was what ended it. [any thread] */
#define CALLS_FINISHED 0x100u
bool calls_set_end(struct calls *calls, uint32_t reason);

/* The services `call`, `next` and `settled_fd` of struct pawl_run. */
int calls_begin(struct calls *calls, uint32_t function, const char *arguments, size_t size,
                uint64_t *id);
int calls_next(struct calls *calls, int32_t timeout, struct pawl_settlement *settlement);
int calls_settled_fd(struct calls *calls);

/* PAWL_SETTLED_* of a settled call; PAWL_SETTLED_OK for one that is unknown. */
uint32_t calls_status(struct calls *calls, uint64_t id);

/* Shows an event to the host, in turn with those of the calls. */
void calls_event_log(struct calls *calls, const char *text, size_t size);

/* Ends what is still waiting or running, and moves the records, the counts and the time into the
 * result. PAWL_OK or PAWL_E_MEMORY. */
int calls_close(struct calls *calls, pawl_result *result);

/* Drops the run's hold. What worker threads still hold lives on until they come back. */
void calls_free(struct calls *calls);

#endif
