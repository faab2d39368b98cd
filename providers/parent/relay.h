/* relay.h - one run between a host and a ready child. */
#ifndef PARENT_RELAY_H
#define PARENT_RELAY_H

#include "worker.h"

/* Sends the program, carries calls, settlements and questions to and fro until the run is over, and
 * says to the host how it ended. Never waits for the child. Everything that the child sends is
 * checked. The child is of no more use afterwards, and may still live: pool_retire, worker_free.
 * `began` is when the provider was asked to run (worker_now). Called with SIGPIPE blocked. PAWL_OK,
 * or as `run` of pawl/provider.h. [run thread] */
int32_t relay_run(struct worker *worker, const struct pawl_run *run, uint64_t began,
                  struct text *why);

#endif
