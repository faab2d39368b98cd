/* answer.h - what comes of asking somebody. */
#ifndef PAWL_APPROVE_ANSWER_H
#define PAWL_APPROVE_ANSWER_H

#include <poll.h>
#include <stdint.h>

#include "stages/common/text.h"

enum answer {
    ANSWER_NO,        /* zero, as a verdict that nobody set */
    ANSWER_YES,       /* and nothing else is a yes */
    ANSWER_LATER,     /* it will be decided, but not now */
    ANSWER_LATE,      /* nobody answered in time */
    ANSWER_CANCELLED, /* nobody waits for it any more */
    ANSWER_BROKEN,    /* it could not be asked; the text says why */
};

/* How long to wait, and what the answer says about itself. */
struct asking {
    uint64_t until; /* CLOCK_MONOTONIC, milliseconds */
    int cancel_fd;  /* readable: nobody waits any more; negative: there is none */
    struct text words;
};

/* CLOCK_MONOTONIC in milliseconds. */
uint64_t asking_now(void);

/* poll(2) for at most ASKING_FDS descriptors, as long as there is time: ANSWER_YES when one of them
 * is ready, otherwise ANSWER_LATE, ANSWER_CANCELLED or ANSWER_BROKEN. */
#define ASKING_FDS 2
enum answer asking_wait(struct asking *asking, struct pollfd *fds, unsigned count);

/* ANSWER_BROKEN, with "what: " and what an errno means as all its words. */
enum answer asking_broke(struct asking *asking, const char *what, int error);

#endif
