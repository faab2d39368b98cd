/*
 * recorded.h - a host for tests of records: a provider whose programs are scripts, functions and a
 * stage that a script can call, and a tape for what is recorded.
 *
 * A script is a list of steps, each with a ';' behind it:
 *
 *   c0[1]     calls function 0 with these arguments
 *   n  n20    takes the next settled call, for ever or for at most so many milliseconds
 *   k  r8     reads the clock; takes that many random bytes
 *   dTEXT     discovers; answers to "none" with a failure
 *   lTEXT     logs any bytes
 *   p         waits until settled_fd is readable and takes without waiting, until it could take
 *   gN        lets N host functions go that hold
 *   x         cancels the runs of this host
 *   vJSON  v  ends with that value, or with none
 *   fTEXT     fails with the call that was taken last
 *   eTEXT     fails as an engine does that dies
 *
 * What the script was told is in recorded_trace. One that is suspended states how far it came as
 * its image.
 */
#ifndef TEST_RECORDED_H
#define TEST_RECORDED_H

#include <stdatomic.h>

#include <pawl/pawl.h>

#include "core/buffer.h"

/* The functions, all of the namespace "tools", whose errors are of the class ToolError. */
enum {
    ECHO,     /* echo(x?): what it was called with, on two lines; concurrent */
    FAIL,     /* fails, with a secret in its message; concurrent */
    DENIED,   /* the stage denies it; concurrent */
    BROKEN,   /* the stage breaks; concurrent */
    CONSTANT, /* [1,2] on two lines; the stage as for LATER */
    SLOW,     /* has 5 milliseconds, and is never done; concurrent. With "hesitate" among its
                 arguments it is the stage that is not done before a step 'g', and then is undecided */
    LATER,    /* the stage is undecided where recorded_undecided is in its arguments; concurrent */
    HOLD,     /* waits for a step 'g'; concurrent */
    ALONE,    /* returns 1; runs alone */
    RECORDED_FUNCTIONS,
};

extern atomic_int recorded_made[RECORDED_FUNCTIONS]; /* how often each was called */
extern atomic_int recorded_judged;                   /* how often the stage was asked */
extern atomic_int recorded_discovered;               /* how often the host was asked */
extern atomic_int recorded_undecided;                /* a character; 0: none */
extern struct buffer recorded_trace;

/* The stage, which allows everything else and never waits. */
extern const struct pawl_stage recorded_stage;

/* What becomes of images. */
enum recorded_images {
    IMAGES_NONE, /* the provider knows nothing of them */
    IMAGES_USED, /* in two pieces, and used */
    IMAGES_REFUSED,
    IMAGES_HUGE, /* more than the host keeps */
};

/* What was recorded, as text. The `fail_at`-th line (from 1) is refused. */
struct tape {
    struct buffer text;
    unsigned lines, fail_at;
};

struct recorded {
    pawl_registry *registry;
    pawl_ring *ring;
    pawl_cancel *cancel;
    pawl_error *error;
    struct tape tape;
};

/* Begins with an empty tape and everything counted from 0. A status code, with the reason in
 * `error`. */
int recorded_begin(struct recorded *host, enum recorded_images images);
void recorded_end(struct recorded *host);

/* The same with another provider. */
int recorded_begin_with(struct recorded *host, const struct pawl_provider *provider);

/* Lets so many host functions go that hold. */
void recorded_go(int count);

/* Forgets what was counted and traced. */
void recorded_forget(void);

/* A request for a script with all functions, the stage and the discoverer, or for what a record
 * says with its host's functions. Its runs are recorded on the tape. */
int recorded_request(struct recorded *host, const char *script, size_t size,
                     pawl_request **request);
int recorded_add_functions(struct recorded *host, pawl_request *request);
int recorded_set_tape(struct recorded *host, pawl_request *request);

/* How a result came out, with everything that a replay has to give again, as text. To be freed. */
char *recorded_summary(pawl_result *result);

#endif
