/* sigpipe.h - writing to a pipe that nobody reads, without the host getting a SIGPIPE. */
#ifndef PARENT_SIGPIPE_H
#define PARENT_SIGPIPE_H

#include <signal.h>

struct sigpipe {
    sigset_t before; /* the thread's mask */
    int was_pending;
};

/* Blocks the signal for the calling thread. */
void sigpipe_block(struct sigpipe *sigpipe);

/* Takes back one that writes of this thread have raised since, and gives the thread its mask. */
void sigpipe_restore(struct sigpipe *sigpipe);

#endif
