#include "sigpipe.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

static int is_pending(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE);
}

void sigpipe_block(struct sigpipe *sigpipe)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, &sigpipe->before);
    /* What was not blocked cannot have been pending. */
    sigpipe->was_pending = sigismember(&sigpipe->before, SIGPIPE) && is_pending();
}

void sigpipe_restore(struct sigpipe *sigpipe)
{
    if (!sigpipe->was_pending && is_pending()) {
        const struct timespec now = {0, 0};
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGPIPE);
        while (sigtimedwait(&set, NULL, &now) < 0 && errno == EINTR)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &sigpipe->before, NULL);
}
