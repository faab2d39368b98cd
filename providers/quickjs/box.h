/* box.h - the box that the engine lives in: one WebAssembly instance, as translated by wasm2c.
 *
 * The engine's every load and store is checked against the size of its linear memory, and every
 * call through a pointer against a table of typed functions, so that no bug in the engine reaches
 * the host's memory. That is software fault isolation inside the host's process. It takes no signal
 * and no address space beyond what the program may use.
 *
 * A box is one mapping: this struct, then the linear memory, then a margin. The engine's C stack is
 * a second one, so that deep recursion depends neither on the thread nor on its stack. A box is
 * used by one thread at a time; any number of boxes at once.
 *
 * The engine is left at once, wherever it is, when something ends its run (box_leave): its memory
 * is then in an arbitrary state and must be restored from an image before the box is used again. */
#ifndef QUICKJS_BOX_H
#define QUICKJS_BOX_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "qjs.h"

#define BOX_MEMORY_OFFSET 65536
#define BOX_MARGIN        4096u
#define BOX_PAGE          65536u          /* of WebAssembly */
#define BOX_FIRST_SIZE    (18 * BOX_PAGE) /* of the linear memory at first; it never shrinks */
#define BOX_TABLE_MAX     768u            /* functions that the engine can call through a pointer */

/* Why the engine was left. */
enum box_end {
    BOX_RETURNED,  /* by itself */
    BOX_NO_MEMORY, /* it asked for more than its memory's maximum */
    BOX_NO_STACK,  /* it used up its C stack */
    BOX_FAULT,     /* it did what a sound engine does not: a bad access, an impossible call */
    BOX_OVER,      /* the host said that the run is over */
};

/* A function that runs in the box: calls into the engine are only made from inside one. */
typedef void box_function(void *context);

struct box {
    Z_qjs_instance_t instance; /* first: the generated code is handed its address */
    uintptr_t stack_limit;     /* below it, box_stack_is_low is asked */
    bool is_low;
    uint32_t runtime, engine_stack_size; /* for JS_SetMaxStackSize; 0: the engine is not ready */
    void *host;                          /* for the functions that the engine imports */
    uint32_t (*type_error)(struct box *box, uint32_t message); /* see box_words; NULL: none */

    uint8_t *mapping, *stack;
    size_t mapping_size;
    size_t usable; /* bytes of the linear memory and its margin that are readable and writable */
    uint64_t peak; /* largest size of the linear memory since the last restore */

    enum box_end end;
    const char *fault;
    sigjmp_buf exit;
    box_function *function;
    void *context;
    void *switching;

    wasm_rt_funcref_t table[BOX_TABLE_MAX];
};

_Static_assert(sizeof(struct box) <= BOX_MEMORY_OFFSET,
               "the box's own data must fit before its memory");

/* The host's view of an address of the linear memory. Not checked. */
static inline uint8_t *box_at(struct box *box, uint32_t address)
{
    return (uint8_t *)box + BOX_MEMORY_OFFSET + address;
}

/* Makes a box whose linear memory can grow to `max_bytes`; NULL: no memory. [any thread] */
struct box *box_create(uint64_t max_bytes);
void box_destroy(struct box *box);

/* How far its linear memory can ever grow, in bytes. */
uint64_t box_capacity(const struct box *box);

/* Makes the first `size` bytes of its linear memory accessible. False: no memory. */
bool box_commit(struct box *box, uint64_t size);

/* Gives the memory behind the first `size` bytes back to the kernel. */
void box_trim(struct box *box, uint64_t size);

/* How far the linear memory may grow from now on; at most what the box was made for. */
void box_set_maximum(struct box *box, uint64_t max_bytes);

/* A host function for the engine's table, with the signature that the engine calls it by. Returns
 * its address for the engine. The same calls on every box give the same addresses. */
uint32_t box_add_function(struct box *box, wasm_rt_function_ptr_t function, uint32_t type);

/* Runs function(context) on the box's stack until it returns or leaves. */
enum box_end box_run(struct box *box, box_function *function, void *context);

/* Ends box_run, from inside it. */
_Noreturn void box_leave(struct box *box, enum box_end end);
_Noreturn void box_trap(struct box *box, wasm_rt_trap_t trap);

/* The C stack of a function that begins is below the limit. The engine is made to believe that its
 * own stack is used up, so that the program gets a RangeError that it can catch; when even the
 * reserve is used up, the box is left. */
void box_stack_is_low(struct box *box, uintptr_t frame);

/* The engine is about to throw an error with that message. Does not return when the message says
 * that memory is used up. */
void box_will_throw(struct box *box, uint32_t message);

/* The engine is about to throw a TypeError with that message, a format without arguments of its
 * own. Returns the one to throw instead: what the host has better words for, it says itself. */
uint32_t box_words(struct box *box, uint32_t message);

/* The types of function that box_add_function takes. */
enum box_type {
    BOX_TYPE_FUNCTION,  /* JSCFunctionData */
    BOX_TYPE_INTERRUPT, /* JSInterruptHandler */
    BOX_TYPE_REJECTION, /* JSHostPromiseRejectionTracker */
};
uint32_t box_type(enum box_type type);

#endif
