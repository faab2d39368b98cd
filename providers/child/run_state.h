/* run_state.h - one run inside the child: what the files run*.c share. */
#ifndef CHILD_RUN_STATE_H
#define CHILD_RUN_STATE_H

#include <pawl/wire.h>

#include "run.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Set in an id of a call that never left the child, because it was too large to cross. */
#define LOCAL_CALL (UINT64_C(1) << 63)

/* A settled call that arrived while something else was waited for: the text of its frame. */
struct settled {
    struct settled *next;
    size_t size;
    char text[];
};

struct run {
    struct pawl_run services; /* what the engine sees */
    struct channel *channel;
    uint32_t functions;
    bool ask;
    bool mixed;    /* ids are not the host's any more: of a call that never left the child */
    bool finished; /* value or failure was said */
    bool fd_given; /* the engine polls settled_fd */
    volatile uint32_t ended;
    uint64_t last_id;
    uint64_t in_flight;
    struct settled *first, **last;
    struct settled *current; /* the settlement that the engine holds points into it */
    struct text message, code;
    struct text answer; /* of the question that is being asked */
    bool answered;
};

/* The largest size of a text, at most `most`, that cuts no character in two. */
static inline size_t cut(const char *text, size_t most)
{
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    return most;
}

/* run.c: whether the run is over; the time. */
uint32_t run_cancelled(void *context);
uint64_t run_now(void);

/* run_answers.c: what arrives. Puts a settlement where `next` takes it; waits until something
 * arrives or, if `sending`, the calls channel takes more, and takes it in: PAWL_E_TIMEOUT at the
 * time `at` (0: never), PAWL_E_ENDED when the run is over, PAWL_OK also when a signal came; keeps
 * settled_fd as it must be. */
int32_t run_prepare_answers(struct text *why);
int32_t run_enqueue(struct run *run, const char *text, size_t size);
int32_t run_wait(struct run *run, bool sending, uint64_t at);
void run_show_settled(struct run *run);

/* run_calls.c: ends and sends the frame that was begun on `calls`. */
int32_t run_send(struct run *run);

/* The services. run_calls.c: */
int32_t run_call(void *context, uint32_t function, const char *arguments, size_t size,
                 uint64_t *id);
int32_t run_next(void *context, int32_t timeout, struct pawl_settlement *settlement);
int32_t run_log(void *context, const char *entry, size_t size);
/* run_answers.c: */
int32_t run_settled_fd(void *context);
/* run_questions.c: */
int32_t run_discover(void *context, const char *query, size_t size, const struct pawl_sink *answer);
int32_t run_clock(void *context, int64_t *nanoseconds);
int32_t run_random(void *context, void *buffer, size_t size);
/* run_report.c: */
int32_t run_fact(void *context, const char *name, const char *json, size_t size);
int32_t run_value(void *context, const char *json, size_t size);
int32_t run_fail(void *context, const struct pawl_failure *failure);
int32_t run_suspend(void *context, const void *image, size_t size);

#endif
