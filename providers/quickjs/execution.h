/* execution.h - one run of one program in one box.
 *
 * Everything that is allocated outside of the box belongs to this struct, because the engine can be
 * left at any time: nothing in between may hold memory of its own. */
#ifndef QUICKJS_EXECUTION_H
#define QUICKJS_EXECUTION_H

#include <pawl/provider.h>

#include "engine.h"
#include "providers/preempt/preempt.h"
#include "providers/program/prepare.h"
#include "tokens.h"

/* A call in flight: what settles its promise. */
struct pending_call {
    uint64_t id;
    const struct pawl_function *function;
    JSValue resolve, reject;
    JSValue error; /* made at the call, so that its stack is the call's; for a rejection */
};

/* An error that a call was rejected with. */
struct call_error {
    uint64_t id;
    const struct pawl_function *function;
    JSValue error;
};

struct timer {
    uint32_t id;
    uint64_t due, interval; /* execution_now, nanoseconds; an interval of 0: once */
    uint64_t order;         /* of timers that are due together, the first one set runs first */
    JSValue function, arguments;
};

/* A promise that was rejected while nobody handled it. */
struct rejection {
    JSValue promise, reason;
};

struct failure {
    const char *kind; /* NULL: it did not fail */
    struct program_buffer message;
    char subject[256];
    uint64_t call;
    uint32_t line, column;
};

struct execution {
    const struct pawl_run *run;
    struct engine *engine;
    struct vm vm;
    struct program_text text;
    bool has_types;  /* it did not parse as JavaScript, and shows signs of TypeScript */
    bool was_erased; /* the types are gone, and with them the columns behind them */
    char *typed;     /* the text before, terminated by zero */
    void (*function)(struct execution *x);
    struct preempt_run preempt;
    int preempt_error; /* an errno: the run could not be made to end in time, so it did not begin */
    bool is_synchronous; /* calls return their value, not a promise of it: javascript-es5 */
    uint64_t random[2];
    JSValue awaited;  /* the promise that the program comes to */
    int32_t wait;     /* milliseconds that it waits for at most; -1: for a call alone */
    bool is_inner;    /* it is that of the function that the program returned */
    bool holds_value; /* or it came to a value at once, which the box does not hold */

    /* Of the namespace of the i-th function of the run: its error class and the function's name. */
    struct binding {
        const struct pawl_function *function;
        const struct pawl_namespace *space;
        JSValue error_class;
    } * bindings;
    uint32_t binding_count;

    struct pending_call *calls;
    size_t call_count, call_capacity;
    struct call_error *call_errors;
    size_t call_error_count, call_error_capacity;
    struct timer *timers;
    size_t timer_count, timer_capacity;
    uint32_t last_timer;
    uint64_t timer_order;
    struct rejection *rejections;
    size_t rejection_count, rejection_capacity;

    vm_address words; /* of the last error that was put into other words */
    bool is_wording;

    struct json_stack json_stack;
    struct program_buffer buffer; /* a JSON text on its way out */
    bool has_value;               /* `buffer` is the program's value */
    struct failure failure;
    struct place place;     /* of the failure, in the evaluated text */
    struct tokens *scratch; /* held while the engine is called */
};

/* The execution that a box belongs to. */
static inline struct execution *execution_of(void *instance)
{
    return ((struct box *)instance)->host;
}

/* Makes room for one more element of one of the arrays above; leaves the box when there is none. */
void execution_grow(struct execution *x, void **array, size_t *capacity, size_t count, size_t size);
#define EXECUTION_PUSH(x, name, names)                                                   \
    (execution_grow((x), (void **)&(x)->names, &(x)->name##_capacity, (x)->name##_count, \
                    sizeof *(x)->names),                                                 \
     &(x)->names[(x)->name##_count++])

/* What timers go by: CLOCK_MONOTONIC, or in a run that is recorded the clock of the record. */
uint64_t execution_now(struct execution *x);

/* The run is over, or the host cannot go on: leaves the box. */
_Noreturn void execution_end(struct execution *x);

/* What a service of the host returned: the program goes on only when that is PAWL_OK. */
static inline void execution_check(struct execution *x, int32_t status)
{
    if (status != PAWL_OK)
        execution_end(x);
}

/* `next` of the run. No signal disturbs the wait. */
int32_t execution_next(struct execution *x, int32_t wait, struct pawl_settlement *settlement);

/* Delivers a settled call to the program. False: no such call is in flight. */
bool execution_settle(struct execution *x, const struct pawl_settlement *settlement);

/* The error object of a call that failed: takes over `error`, made at the call. */
JSValue execution_call_error(struct execution *x, JSValue error,
                             const struct pawl_function *function,
                             const struct pawl_settlement *settlement);

/* Runs `function` in a box, until it returns or the run is over. */
enum box_end execution_run(struct execution *x, struct box *box,
                           void (*function)(struct execution *x));

/* Runs the program to its end, inside a box; the outcome is in the struct. What its text was made
 * into, the bindings and x->preempt.preempt are the caller's to fill in. */
void execution_program(struct execution *x);

/* Names the bindings of the run, without defining anything in the box. */
void execution_list_bindings(struct execution *x);

/* The same for a program that was suspended and has been read again. */
void execution_resume(struct execution *x);
void execution_release(struct execution *x);

#endif
