/* ring.h - the stages in order: what every call passes before it reaches its host function. */
#ifndef PAWL_STAGES_RING_H
#define PAWL_STAGES_RING_H

#include <stdbool.h>

#include "core/buffer.h"

#include <pawl/pawl.h>

/* A hold on a ring: host functions that outlive their run may still be on their way through it, so
 * that it lives until the last of them is back. Drop it with pawl_ring_free. NULL for NULL. [any
 * thread] */
pawl_ring *ring_hold(const pawl_ring *ring);

/* Whether no stage ever waits (PAWL_STAGE_PROMPT). [any thread] */
bool ring_is_prompt(const pawl_ring *ring);

/* Whether a stage may wait for somebody who is not the program (PAWL_STAGE_WAITS). [any thread] */
bool ring_waits(const pawl_ring *ring);

/* Told before and after each judging by a stage that may wait. [the thread that judges] */
struct ring_watch {
    void (*waiting)(void *context, bool begins);
    void *context;
};

/* Which stages allowed a call, so that the same ones are told how it came out. */
struct ring_passage {
    size_t allowed;
};

/* Has the stages judge a call, in order, until one does not allow it. Returns PAWL_SETTLED_OK when
 * all did; PAWL_SETTLED_DENIED; or PAWL_SETTLED_FAILED when a stage broke. `why` then names the
 * stage and its reason. *pending: it was denied because a stage wants to decide later. `watch` may
 * be NULL. [any thread] */
uint32_t ring_judge(const pawl_ring *ring, const struct pawl_stage_call *call,
                    const struct ring_watch *watch, struct buffer *why,
                    struct ring_passage *passage, int *pending);

/* Tells the stages that allowed a call how it came out. [any thread] */
void ring_settled(const pawl_ring *ring, const struct pawl_stage_call *call,
                  const struct ring_passage *passage, uint32_t outcome, uint64_t bytes,
                  uint64_t microseconds);

/* A call for the stages to judge, without a cancel_fd. */
struct pawl_stage_call ring_call(const char *run, uint64_t number, const char *name,
                                 const char *namespace_name, const char *function,
                                 const char *arguments, size_t size);

#endif
