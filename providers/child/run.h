/* run.h - the run interface that an engine sees, served over the wire. */
#ifndef CHILD_RUN_H
#define CHILD_RUN_H

#include "channel.h"
#include "engine.h"

/* What the handler of SIGTERM does must be in place before `ready`, and so must be everything that
 * a locked process could not make any more. */
int32_t run_prepare(struct text *why);

/* Runs the program of a program frame and reports how it ended. */
void run_serve(struct channel *channel, struct engine *engine, struct json program);

#endif
