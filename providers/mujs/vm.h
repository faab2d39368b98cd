/*
 * vm.h - virtual machines that are ready to run, and the pool of them.
 *
 * A machine is a libmujs state in an arena of its own, prepared once: built-ins installed, garbage
 * collected, and then copied. Before each run the copy (the image) is put back, which takes a few
 * microseconds and undoes whatever the last program did, or was doing when it was stopped. An image
 * is full of absolute addresses and valid only in its own arena. It holds nothing of a thread, so
 * a machine may serve one thread after another.
 */
#ifndef MUJS_VM_H
#define MUJS_VM_H

#include "arena.h"
#include "libmujs.h"

#include "providers/preempt/preempt.h"

#include <pawl/provider.h>
#include <pthread.h>

/* Why a machine was left in the middle of its program. */
enum vm_left {
    VM_OVER,   /* the host said that the run is over; the default, for the preempting signal */
    VM_MEMORY, /* the arena is full */
    VM_BROKEN, /* a host service failed, or libmujs panicked */
};

struct outcome;

/* An error object that a failed call was rejected with. */
struct vm_call_error {
    const js_Object *object;
    uint64_t call;
};

struct vm {
    js_State *J; /* js_getcontext(J) is the machine */
    struct arena *arena;
    void *image;
    size_t image_size;
    struct vm *next;     /* in the pool */
    int elements_offset; /* flat.h's */

    /* Of the current run. */
    struct preempt_run preempt;
    const struct pawl_run *run;
    struct outcome *outcome; /* program.c's */
    enum vm_left left;
    int32_t status;                    /* of the service that failed, for VM_BROKEN */
    struct vm_call_error *call_errors; /* in the arena */
    int call_error_count;

    /* What a host service wrote to the sink it was given. Not in the arena, because a host function
     * may not be left in the middle. */
    char *host_text;
    size_t host_text_size, host_text_room;
    int host_text_failed;
};

struct vm_pool {
    pthread_mutex_t lock;
    struct vm *idle; /* most recently used first */
    unsigned idle_count;
};

#define VM_POOL_KEEP 16 /* idle machines */

/* The smallest heap limit that a machine can be made with. */
#define VM_MIN_MEMORY ((size_t)1 << 20)

void vm_pool_init(struct vm_pool *pool);
void vm_pool_destroy(struct vm_pool *pool);

/* A machine whose heap can grow to `limit` bytes, in its initial state. NULL and errno when there
 * is no memory or address space for one. [any thread] */
struct vm *vm_pool_take(struct vm_pool *pool, size_t limit);

/* [any thread] */
void vm_pool_give(struct vm_pool *pool, struct vm *vm);

/* Leaves the program that the machine runs. */
_Noreturn void vm_leave(struct vm *vm, enum vm_left why);

static inline struct vm *vm_of(js_State *J)
{
    return js_getcontext(J);
}

#endif
