#include "stages/common/quiet.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static bool is_pending(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGXFSZ) == 1;
}

ssize_t quiet_writev(int fd, const struct iovec *parts, int count)
{
    static const struct timespec at_once = {0, 0};
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    bool was_pending = is_pending();
    ssize_t put;
    do
        put = writev(fd, parts, count);
    while (put < 0 && errno == EINTR);
    int error = errno;
    if (put < 0 && !was_pending && is_pending())
        while (sigtimedwait(&signals, NULL, &at_once) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return put;
}
