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
struct record_entry;

/* What the calls of a run go by. Nothing is copied but the values. */
struct calls_setup {
    const pawl_request *request;
    const pawl_cancel *cancels[2]; /* either may be NULL */
    struct workers *workers;
    uint64_t max_calls;
    uint64_t max_bytes;
    uint64_t deadline; /* clock_now(); 0: none; later by the time that stages waited */
    bool parked;       /* calls are begun, but none starts before calls_go_live */
    bool can_suspend;  /* a call that is to be decided later suspends the run, not denies itself */
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

/* While calls are parked: settles the one that the entry of a record names as the entry says, and
 * takes it. PAWL_OK, or PAWL_E_STATE: no such call is in flight. */
int calls_play(struct calls *calls, const struct record_entry *entry,
               struct pawl_settlement *settlement);

/* The same without taking it. */
void calls_play_late(struct calls *calls, const struct record_entry *entry);

/* The end of parking: what was begun and has not settled starts. */
void calls_go_live(struct calls *calls);

/* Whether calls are in flight: begun, and not taken. */
uint32_t calls_in_flight(struct calls *calls);

/* Which call a suspended run waits for, and why; NULL: no memory, or it is not suspended. */
const char *calls_put_off(struct calls *calls);

/* How long a settled call took. */
uint64_t calls_microseconds(struct calls *calls, uint64_t id);

/* Whether a call of that function with these arguments can begin, and the id that it will have. */
bool calls_accepts(const struct calls *calls, uint32_t function, const char *arguments,
                   size_t size);
uint64_t calls_next_id(const struct calls *calls);

/* PAWL_SETTLED_* of a settled call; PAWL_SETTLED_OK for one that is unknown. */
uint32_t calls_status(struct calls *calls, uint64_t id);

/* Shows an event to the host, in turn with those of the calls. */
void calls_event_log(struct calls *calls, const char *text, size_t size);

/* Ends what is still waiting or running, and moves the records, the counts and the time into the
 * result. `late` is told how each call came out that had begun and was not taken. PAWL_OK or
 * PAWL_E_MEMORY. */
typedef void (*calls_late)(void *context, const struct pawl_settlement *settlement,
                           uint64_t microseconds);
int calls_close(struct calls *calls, pawl_result *result, calls_late late, void *context);

/* Drops the run's hold. What worker threads still hold lives on until they come back. */
void calls_free(struct calls *calls);

#endif
