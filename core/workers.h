/* workers.h - the threads that host functions run on: never the program's, so that a run can end
 * without a function that does not come back. */
#ifndef PAWL_CORE_WORKERS_H
#define PAWL_CORE_WORKERS_H

struct workers;

/* No thread is started before there is work. NULL: no memory. */
struct workers *workers_new(void);

/* Waits for all work to end, then frees the threads. */
void workers_free(struct workers *workers);

/* Has a thread call `work(argument)`: an idle one, or a new one. PAWL_OK, PAWL_E_LIMIT when too
 * many are still at work, or PAWL_E_SYSTEM when no thread can be started. [any thread] */
int workers_submit(struct workers *workers, void (*work)(void *argument), void *argument);

#endif
