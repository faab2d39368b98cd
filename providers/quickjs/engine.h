/* engine.h - QuickJS with everything a program finds prepared, and boxes that hold it.
 *
 * The template is made once, when pawl is built (prepared.h): the engine is started, the prelude is
 * evaluated, and an image of the box is taken. A run takes a box and makes it that image, so it
 * never sees what another run did.
 */
#ifndef QUICKJS_ENGINE_H
#define QUICKJS_ENGINE_H

#include <pthread.h>

#include "image.h"
#include "json.h"
#include "providers/preempt/preempt.h"
#include "vm.h"

#define ENGINE_MAX_IDLE   32
#define ENGINE_MAX_MEMORY ((uint64_t)3 << 30)

/* Functions of the host that JavaScript calls; their addresses are the same in every box. */
struct engine_functions {
    uint32_t call, discover, log, set_timer, clear_timer, random, rejection;
};

/* Values of the prelude. They are the same in every box, because every box is the same image. */
struct engine_helpers {
    JSValue error_class; /* (name): a constructor of errors with that name */
    JSValue call_error;  /* (class, property, member): an error whose stack is the caller's */
    JSValue describe;    /* (thrown): [message, stack, subject] */
    JSValue run_timer;   /* (function, arguments): calls it */
    JSValue where;       /* (): the stack */
    JSValue settled;     /* (): a promise that is fulfilled */
    JSValue discover;    /* (query): the global function, where there is one */
};

/* A script of the prelude, or of sucrase. */
struct prelude {
    const char *name, *text;
};

/* What removes TypeScript's types: a second image, made when the first program needs it unless it
 * was prepared. */
struct typescript {
    struct box_image *image;
    JSValue erase; /* (text): the text without types */
    bool failed;   /* it cannot be made */
};

struct engine {
    struct box_image *image;
    vm_address runtime, context;
    struct engine_functions functions;
    struct engine_helpers helpers;
    struct json_classes classes;
    JSValue error; /* the constructor Error */

    struct preempt preempt;

    pthread_mutex_t typescript_lock;
    struct typescript typescript;

    pthread_mutex_t lock;
    struct box *idle[ENGINE_MAX_IDLE];
    unsigned idle_count;
};

/* An engine whose template is `prepared`, when that is one that prepared_open accepted, or is made
 * now, when it is NULL. `signal` breaks off runs that are over. PAWL_OK, or a status with the
 * reason in `why`. [any thread] */
struct prepared;
int engine_create(struct engine **engine, const struct prepared *prepared, int signal, char *why,
                  size_t why_size);
void engine_destroy(struct engine *engine);

/* The second image; NULL: it cannot be made. [any thread] */
const struct typescript *engine_typescript(struct engine *engine);

/* A box as the template is, for a program that may hold `max_memory` bytes (0: as many as pawl
 * gives one). NULL: no memory. [any thread] */
struct box *engine_acquire(struct engine *engine, uint64_t max_memory);
/* Makes a box that was acquired as it was then. False: no memory. */
bool engine_restore(struct engine *engine, struct box *box, uint64_t max_memory);
void engine_release(struct engine *engine, struct box *box);

/* The engine's view of a box that it gave. */
static inline struct vm engine_vm(const struct engine *engine, struct box *box)
{
    return (struct vm){box, engine->runtime, engine->context};
}

#endif
