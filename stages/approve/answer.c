#include "stages/approve/answer.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>

uint64_t asking_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

enum answer asking_broke(struct asking *asking, const char *what, int error)
{
    asking->words.size = 0;
    text_format(&asking->words, "%s: %s", what, strerror(error));
    return ANSWER_BROKEN;
}

enum answer asking_wait(struct asking *asking, struct pollfd *fds, unsigned count)
{
    struct pollfd all[1 + ASKING_FDS] = {{asking->cancel_fd, POLLIN, 0}};
    memcpy(all + 1, fds, count * sizeof(*fds));
    for (;;) {
        uint64_t now = asking_now();
        if (now >= asking->until)
            return ANSWER_LATE;
        uint64_t left = asking->until - now;
        int ready = poll(all, 1 + count, left < INT_MAX ? (int)left : INT_MAX);
        if (ready < 0 && errno != EINTR)
            return asking_broke(asking, "poll", errno);
        if (ready <= 0)
            continue;
        memcpy(fds, all + 1, count * sizeof(*fds));
        return all[0].revents != 0 ? ANSWER_CANCELLED : ANSWER_YES;
    }
}
