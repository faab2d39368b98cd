/* call.h - one call of a binding, shared by the run and the worker thread that serves it. */
#ifndef PAWL_CORE_CALL_H
#define PAWL_CORE_CALL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/request.h"
#include "stages/ring.h"

struct calls;

enum call_state {
    CALL_WAITING,
    CALL_RUNNING,
    CALL_SETTLED,
    CALL_ABANDONED, /* nobody waits for it any more */
};

struct pawl_call {
    atomic_uint references;
    struct calls *calls;
    struct pawl_call *next; /* in a queue */
    uint64_t id;            /* what the provider knows it by */
    uint64_t number;        /* counts the calls that the budget counts */

    /* Copies of what the binding says: the request may be gone before the worker is back. */
    pawl_host_function function;
    void *data;
    bool concurrent;
    uint64_t timeout;
    char *full_name;
    char *namespace_name;
    const char *function_name;

    char *arguments;
    size_t arguments_size;
    uint64_t started;  /* clock_now() */
    uint64_t deadline; /* 0: none; it moves by the time that stages waited */

    /* Under the lock of the calls. */
    enum call_state state;
    size_t held;         /* bytes that it counts for while the program has not taken it */
    bool waiting;        /* for a stage that waits for somebody */
    uint64_t wait_began; /* clock_now() */
    bool judged;         /* the ring allowed it and has not been told how it came out */
    bool put_off;        /* a stage will decide later: the run is to be suspended */
    uint32_t outcome;    /* PAWL_OUTCOME_*, of one that is abandoned */
    struct ring_passage passage;

    /* The answer: written by the worker, read by others only once it has settled. */
    bool answered;
    uint32_t status; /* PAWL_SETTLED_* */
    char *text;
    size_t text_size;
    bool text_lent; /* it belongs to the binding */
    const char *code;

    atomic_bool cancelled;
    atomic_int cancel_fd; /* an eventfd, made when the host function asks for it; -1 */
};

/* A call of that binding with one reference. NULL: no memory. */
struct pawl_call *call_new(struct calls *calls, const struct binding *binding);

/* What settles instead of a call that ran out of its own time. NULL: no memory. */
struct pawl_call *call_new_timeout(const struct pawl_call *call);

void call_hold(struct pawl_call *call);
void call_release(struct pawl_call *call);

/* Frees the arguments of a call that nobody reads any more. */
void call_drop_arguments(struct pawl_call *call);

/* Answers a call, unless it was answered: with text that is copied, with a message that was put
 * together, with a constant text, with a constant's value, with text that outlives the run, and
 * with a failure when its function said nothing. `code` is a constant. */
void call_answer(struct pawl_call *call, uint32_t status, const char *text, size_t size,
                 const char *code);
void call_answer_buffer(struct pawl_call *call, uint32_t status, const struct buffer *text,
                        const char *code);
void call_answer_text(struct pawl_call *call, uint32_t status, const char *code, const char *text);
void call_answer_value(struct pawl_call *call, char *json, size_t size);
void call_answer_lent(struct pawl_call *call, uint32_t status, const char *code, const char *text,
                      size_t size);
void call_answer_if_none(struct pawl_call *call);

/* Tells the host function that nobody waits any more. */
void call_cancel(struct pawl_call *call);

#endif
