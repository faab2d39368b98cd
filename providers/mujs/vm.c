#include "vm.h"
#include "builtins.h"
#include "flat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROBE_OBJECTS 3 /* see find_collection_counter */

_Noreturn void vm_leave(struct vm *vm, enum vm_left why)
{
    vm->left = why;
    preempt_leave(&vm->preempt);
}

static void on_exhausted(void *context)
{
    vm_leave(context, VM_MEMORY);
}

/* libmujs calls this for an exception that nothing catches, and then aborts the process. */
static void on_panic(js_State *J)
{
    vm_leave(vm_of(J), VM_BROKEN);
}

static void ignore_report(js_State *J, const char *message)
{
    (void)J;
    (void)message;
}

/*
 * libmujs collects garbage when a counter of allocations reaches a threshold, whatever their sizes.
 * The arena raises that counter after many bytes (arena.h), so it must know where it is: it is the
 * one word of the state that grows by one for each new object.
 */
static uint32_t *find_collection_counter(js_State *J)
{
    enum { WORDS = 256 }; /* it stands before the state's big arrays */
    uint32_t before[WORDS], *words = (uint32_t *)J, *found = NULL;

    js_gc(J, 0);
    memcpy(before, words, sizeof before);
    for (int i = 0; i < PROBE_OBJECTS; i++) {
        js_pushnull(J);
        js_newobjectx(J);
        js_pop(J, 1);
    }
    for (int i = 0; i < WORDS; i++) {
        if (words[i] != before[i] + PROBE_OBJECTS)
            continue;
        if (found != NULL)
            return NULL;
        found = &words[i];
    }
    if (found == NULL)
        return NULL;
    js_gc(J, 0);
    /* The threshold follows, and is a multiple of what remained. */
    return *found == before[found - words] && found[1] > *found ? found : NULL;
}

static int prepare_state(struct vm *vm)
{
    js_State *J = js_newstate(arena_alloc, vm->arena, 0);

    if (J == NULL)
        return 0;
    vm->J = J;
    js_setcontext(J, vm);
    js_atpanic(J, on_panic);
    js_setreport(J, ignore_report);
    builtins_install(J);
    vm->elements_offset = flat_find_offset(J);
    js_gc(J, 0);
    vm->arena->collect = find_collection_counter(J);
    return vm->arena->collect != NULL;
}

static void vm_free(struct vm *vm)
{
    if (vm == NULL)
        return;
    arena_unmap(vm->arena);
    free(vm->image);
    free(vm->host_text);
    free(vm);
}

static int take_image(struct vm *vm)
{
    vm->arena->peak = vm->arena->end;
    vm->image_size = arena_extent(vm->arena);
    vm->image = malloc(vm->image_size);
    if (vm->image == NULL)
        return -ENOMEM;
    memcpy(vm->image, vm->arena, vm->image_size);
    return 0;
}

/* Makes the state and its image; 0 or a negative errno. */
static int prepare(struct vm *vm)
{
    if (sigsetjmp(vm->preempt.exit, 0) != 0)
        return -ENOMEM; /* the arena is too small for the template */
    return prepare_state(vm) ? take_image(vm) : -ENOSYS;
}

static struct vm *vm_new(size_t capacity)
{
    struct vm *vm = calloc(1, sizeof *vm);
    int error;

    if (vm == NULL)
        return NULL;
    vm->arena = arena_map(capacity);
    if (vm->arena == NULL) {
        error = -errno;
    } else {
        vm->arena->exhausted = on_exhausted;
        vm->arena->context = vm;
        error = prepare(vm);
    }
    if (error != 0) {
        vm_free(vm);
        errno = -error;
        return NULL;
    }
    return vm;
}

/* Puts the image back. */
static void vm_reset(struct vm *vm, size_t limit)
{
    memcpy(vm->arena, vm->image, vm->image_size);
    vm->arena->limit = limit;
    vm->left = VM_OVER;
    vm->status = PAWL_OK;
    vm->run = NULL;
    vm->call_errors = NULL;
    vm->call_error_count = 0;
}

/* --- The pool ------------------------------------------------------------------------------ */

void vm_pool_init(struct vm_pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
    pool->idle = NULL;
    pool->idle_count = 0;
}

void vm_pool_destroy(struct vm_pool *pool)
{
    struct vm *next;

    for (struct vm *vm = pool->idle; vm != NULL; vm = next) {
        next = vm->next;
        vm_free(vm);
    }
    pthread_mutex_destroy(&pool->lock);
}

static struct vm *take_idle(struct vm_pool *pool, size_t limit)
{
    struct vm *vm = NULL;

    pthread_mutex_lock(&pool->lock);
    for (struct vm **link = &pool->idle; *link != NULL; link = &(*link)->next)
        if ((*link)->arena->capacity >= limit) {
            vm = *link;
            *link = vm->next;
            pool->idle_count--;
            break;
        }
    pthread_mutex_unlock(&pool->lock);
    return vm;
}

struct vm *vm_pool_take(struct vm_pool *pool, size_t limit)
{
    struct vm *vm = take_idle(pool, limit);

    if (vm == NULL)
        vm = vm_new(limit);
    if (vm != NULL)
        vm_reset(vm, limit);
    return vm;
}

void vm_pool_give(struct vm_pool *pool, struct vm *vm)
{
    const size_t keep = vm->image_size + ((size_t)256 << 10);
    struct vm *surplus = NULL, **last = &pool->idle;

    if (arena_peak(vm->arena) > keep)
        arena_trim(vm->arena, keep);
    pthread_mutex_lock(&pool->lock);
    vm->next = pool->idle;
    pool->idle = vm;
    if (++pool->idle_count > VM_POOL_KEEP) {
        while ((*last)->next != NULL)
            last = &(*last)->next;
        surplus = *last;
        *last = NULL;
        pool->idle_count--;
    }
    pthread_mutex_unlock(&pool->lock);
    vm_free(surplus);
}
