/*
 * pool.h - children that are kept ready, each for one run.
 *
 * A thread that lives as long as the pool starts them, because a child dies with the thread that
 * started it. It replaces those that were taken or that died, and waits for those that are over, so
 * that a run waits for neither.
 */
#ifndef PARENT_POOL_H
#define PARENT_POOL_H

#include "worker.h"

struct pool;

/* Makes a pool that keeps `size` (at least 1) children ready. `recipe` must outlive it. NULL: no
 * memory or no thread; `why` says which. */
struct pool *pool_new(const struct recipe *recipe, unsigned size, struct text *why);

/* Takes a child that is ready, or NULL if there is none now. [any thread] */
struct worker *pool_take(struct pool *pool);

/* Kills a child and gives it to the pool's thread, which waits for it and frees it. [any thread] */
void pool_retire(struct pool *pool, struct worker *worker);

/* Kills all children, waits for them and for the thread. NULL is allowed. */
void pool_free(struct pool *pool);

#endif
