/*
 * worker.h - a child from its start to `ready`: what it is started with, and what it said of
 * itself.
 */
#ifndef PARENT_WORKER_H
#define PARENT_WORKER_H

#include <pawl/provider.h>

#include "launch.h"
#include "providers/wire/frame.h"
#include "tail.h"

struct worker;

/* How the children of one provider instance are made. Constant once the first was started. */
struct recipe {
    char **argv;        /* argv[0] is an absolute path */
    bool is_command;    /* not an engine: it is believed nothing about what is enforced */
    int namespaces;     /* CLONE_NEW* flags of the start */
    struct text launch; /* the text of the launch frame */
    struct text second; /* of the frame that a confined command gets, after pawl-child, which became
                           it, got the first; empty: it is none */
    size_t frame_limit;
    bool record;        /* the child asks for clock and random bytes */
    const char *cgroup; /* directory to make groups in; NULL: none */

    /* A look at the child that is about to be trusted, once it says `ready`: PAWL_OK, or
     * PAWL_E_UNAVAILABLE and the reason. May be NULL. */
    int32_t (*verify)(void *context, const struct worker *worker, struct text *why);
    void *verify_context;
    /* States what is enforced, for the facts of a run. May be NULL. */
    void (*state_facts)(void *context, const struct worker *worker, const struct pawl_run *run);
};

struct worker {
    const struct recipe *recipe;
    struct child child;
    struct frame_writer launch, answers;
    struct frame_reader report, calls;
    struct tail tail;
    struct text ready;     /* the text of its ready frame */
    struct text locked;    /* that of the pawl-child that became a command */
    char *engine;          /* the engine's name; NULL for a command */
    uint32_t level;        /* the engine's */
    uint32_t egress;       /* PAWL_EGRESS_* that the engine enforces */
    bool bounds_memory;    /* the engine keeps max_memory itself */
    bool spoke;            /* it said something before it had a program */
    bool images;           /* it can state what its program is, and go on from there */
    bool limitable;        /* this process may set its limits */
    uint64_t idle_data;    /* bytes of data and stack that it had when it was ready */
    uint64_t idle_address; /* bytes of address space */
    struct worker *next;   /* in a list of its owner's */
    uint64_t watch;        /* of the pool: during which watch its end wakes the thread */
};

/* Whether the child is a command that pawl-child has confined. */
bool recipe_confines_command(const struct recipe *recipe);

/* Milliseconds within which a child must say `ready`. */
#define WORKER_START_TIMEOUT 10000

/* Starts a child and sends it its launch frame, without waiting. It dies with the calling thread.
 * PAWL_OK; PAWL_E_MEMORY or PAWL_E_UNAVAILABLE with the reason. */
int32_t worker_start(const struct recipe *recipe, struct worker **worker, struct text *why);

/* Waits until it is ready and verified. Ends early, with PAWL_E_ENDED, when `cancel_fd` (-1: none)
 * becomes readable or CLOCK_MONOTONIC reaches `deadline` (nanoseconds; 0: none). Otherwise PAWL_OK,
 * or PAWL_E_UNAVAILABLE, PAWL_E_PLUGIN, PAWL_E_CONFIG, PAWL_E_MEMORY and the reason in `why`. */
int32_t worker_wait_ready(struct worker *worker, int cancel_fd, uint64_t deadline,
                          struct text *why);

/* Reads an error frame: its message goes to `why`, its status is returned. */
int32_t worker_read_error(const struct worker *worker, struct json frame, struct text *why);

/* The languages of a ready worker, as a JSON array; absent: it did not say. */
struct json worker_languages(const struct worker *worker);

/* What it said that it locked, as a JSON object; absent: nothing. */
struct json worker_locked(const struct worker *worker);

/* Whether it said anything after `ready`. */
bool worker_has_spoken(const struct worker *worker);

/* Whether nothing happened since it was ready: it lives and is silent. */
bool worker_is_fresh(const struct worker *worker);

/* The next frame of the report channel, waited for until a time. False: it is too large, the child
 * closed the channel, or the time is over. */
bool worker_next_report(struct worker *worker, uint64_t until, struct frame *frame);

/* Appends how a child ended: `exit status 3`, `signal: SIGKILL`. */
void worker_print_end(const struct child_end *end, struct text *into);

/* Kills it and what it started, if they still live, waits for it and frees it. worker_kill kills it
 * alone, does not wait, and may be repeated. */
void worker_kill(struct worker *worker);
void worker_free(struct worker *worker);

/* CLOCK_MONOTONIC in nanoseconds, and the time until then as poll(2) wants it, rounded up. */
uint64_t worker_now(void);
int worker_timeout(uint64_t until);

#endif
