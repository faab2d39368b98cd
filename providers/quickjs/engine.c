#include "engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <pawl/provider.h>

#include "host.h"
#include "prelude.h"
#include "prepared.h"
#include "sucrase.h"

/* What a program may hold when nobody says. */
#define DEFAULT_MEMORY ((uint64_t)512 << 20)
/* The engine's own stack in the linear memory. The C stack of a box is so much larger that this one
 * is used up first, and the program gets a RangeError. */
#define STACK_SIZE   ((uint32_t)4 << 20)
#define STACK_MARGIN ((uint32_t)96 << 10)
/* What an idle box keeps of the memory that programs made it grow by: to clear it costs a tenth of
 * what it costs to get it again from the kernel, page by page. */
#define KEPT_MEMORY ((uint32_t)2 << 20)
/* A small program ends before there is anything to collect. */
#define GC_THRESHOLD ((uint32_t)4 << 20)

struct build {
    struct engine *engine;
    struct box *box;
    bool done;
    char *why;
    size_t why_size;
};

static bool failed(struct build *build, struct vm *vm, const char *what)
{
    const JSValue error = JS_GetException(vm);
    uint32_t size;
    vm_address address;
    const char *text = JS_ToCStringLen(vm, &size, error, &address);
    snprintf(build->why, build->why_size, "%s: %.*s", what, text ? (int)size : 0, text ? text : "");
    const JSValue stack = JS_GetPropertyStr(vm, error, "stack");
    text = JS_ToCStringLen(vm, &size, stack, &address);
    const size_t length = strlen(build->why);
    if (text)
        snprintf(build->why + length, build->why_size - length, " %.*s", (int)size, text);
    return false;
}

/* Gives the prelude a function of the host. */
static void provide(struct vm *vm, JSValue host, const char *name, uint32_t function, int length,
                    int magic)
{
    const JSValue value = JS_NewCFunctionData(vm, function, length, magic, 0, NULL);
    JS_DefinePropertyValueStr(vm, host, name, value, JS_PROP_C_W_E);
}

static bool run_prelude(struct build *build, struct vm *vm, JSValue host,
                        const struct prelude *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct prelude *prelude = &list[i];
        JSValue function = JS_Eval(vm, prelude->text, strlen(prelude->text), prelude->name,
                                   JS_EVAL_FLAG_STRICT | JS_EVAL_FLAG_COMPILE_ONLY);
        if (!JS_IsException(function))
            function = vm_without_source(vm, function);
        if (!JS_IsException(function))
            function = JS_EvalFunction(vm, function);
        if (JS_IsException(function))
            return failed(build, vm, prelude->name);
        const JSValue result = JS_Call(vm, function, JS_UNDEFINED, 1, &host);
        JS_FreeValue(vm, function);
        if (JS_IsException(result))
            return failed(build, vm, prelude->name);
        JS_FreeValue(vm, result);
    }
    return true;
}

/* Class ids and prototypes, learnt from values of the classes. */
static void learn_classes(struct vm *vm, struct json_classes *classes)
{
    const JSValue object = JS_NewObject(vm);
    const JSValue array = JS_NewArray(vm);
    classes->to_json = JS_NewAtomLen(vm, "toJSON", 6);
    classes->object = JS_GetClassID(vm, object);
    classes->array = JS_GetClassID(vm, array);
    classes->object_prototype = JS_GetPrototype(vm, object);
    JS_FreeValue(vm, object);
    JS_FreeValue(vm, array);
}

/* The engine's stack stands at the low end of its memory and is small; it gets a larger one. */
static bool move_stack(struct build *build, struct vm *vm)
{
    Z_qjs_instance_t *instance = &build->box->instance;
    const vm_address stack = Z_qjsZ_malloc(instance, STACK_SIZE);
    if (!stack)
        return false;
    instance->w2c___stack_pointer = (stack + STACK_SIZE) & ~15u;
    Z_qjsZ_JS_UpdateStackTop(instance, vm->runtime);
    Z_qjsZ_JS_SetMaxStackSize(instance, vm->runtime, STACK_SIZE - STACK_MARGIN);
    return true;
}

static void build_template(void *context)
{
    struct build *build = context;
    struct engine *engine = build->engine;
    Z_qjs_instance_t *instance = &build->box->instance;

    Z_qjsZ__initialize(instance);
    if (Z_qjsZ_qjs_init(instance) != 0) {
        snprintf(build->why, build->why_size, "the engine did not start");
        return;
    }
    engine->runtime = Z_qjsZ_qjs_get_runtime_ptr(instance);
    engine->context = Z_qjsZ_qjs_get_context_ptr(instance);
    struct vm vm = engine_vm(engine, build->box);
    if (!move_stack(build, &vm)) {
        snprintf(build->why, build->why_size, "the engine has no room for its stack");
        return;
    }
    Z_qjsZ_JS_SetGCThreshold(instance, engine->runtime, GC_THRESHOLD);

    const struct engine_functions *functions = &engine->functions;
    const JSValue host = JS_NewObject(&vm);
    provide(&vm, host, "log", functions->log, 1, 0);
    provide(&vm, host, "discover", functions->discover, 1, 0);
    provide(&vm, host, "random", functions->random, 0, 0);
    provide(&vm, host, "setTimeout", functions->set_timer, 1, HOST_TIMER_ONCE);
    provide(&vm, host, "setInterval", functions->set_timer, 1, HOST_TIMER_REPEATED);
    provide(&vm, host, "clearTimer", functions->clear_timer, 1, 0);
    if (!run_prelude(build, &vm, host, preludes, sizeof preludes / sizeof *preludes))
        return;

    learn_classes(&vm, &engine->classes);
    engine->classes.class_name = JS_GetPropertyStr(&vm, host, "kindName");
    engine->helpers = (struct engine_helpers){
        .error_class = JS_GetPropertyStr(&vm, host, "errorClass"),
        .call_error = JS_GetPropertyStr(&vm, host, "callError"),
        .describe = JS_GetPropertyStr(&vm, host, "describe"),
        .run_timer = JS_GetPropertyStr(&vm, host, "runTimer"),
        .where = JS_GetPropertyStr(&vm, host, "where"),
        .settled = JS_GetPropertyStr(&vm, host, "settled"),
        .discover = JS_GetPropertyStr(&vm, host, "discover"),
    };
    const JSValue global = JS_GetGlobalObject(&vm);
    engine->error = JS_GetPropertyStr(&vm, global, "Error");
    JS_FreeValue(&vm, global);
    while (JS_ExecutePendingJob(&vm) > 0)
        continue;
    Z_qjsZ_JS_RunGC(instance, engine->runtime);
    Z_qjsZ_JS_SetHostPromiseRejectionTracker(instance, engine->runtime, functions->rejection, 0);
    Z_qjsZ_qjs_set_interrupt_handler(instance, 1);
    build->done = true;
}

static void build_typescript(void *context)
{
    struct build *build = context;
    struct engine *engine = build->engine;
    struct vm vm = engine_vm(engine, build->box);
    const JSValue host = JS_NewObject(&vm);
    if (!run_prelude(build, &vm, host, sucrase, 1))
        return;
    engine->typescript.erase = JS_GetPropertyStr(&vm, host, "eraseTypes");
    Z_qjsZ_JS_RunGC(&build->box->instance, engine->runtime);
    build->done = true;
}

const struct typescript *engine_typescript(struct engine *engine)
{
    struct typescript *typescript = &engine->typescript;
    pthread_mutex_lock(&engine->typescript_lock);
    if (!typescript->image && !typescript->failed) {
        char why[256];
        struct box *box = engine_acquire(engine, 0);
        struct build build = {.engine = engine, .box = box, .why = why, .why_size = sizeof why};
        if (box && box_run(box, build_typescript, &build) == BOX_RETURNED && build.done)
            typescript->image = box_image_take(box);
        typescript->failed = !typescript->image;
        if (box)
            engine_release(engine, box);
    }
    pthread_mutex_unlock(&engine->typescript_lock);
    return typescript->image ? typescript : NULL;
}

/* A new box, with the host's functions in its table. */
static struct box *new_box(uint64_t max_bytes, struct engine_functions *functions)
{
    struct box *box = box_create(max_bytes);
    if (box)
        *functions = host_add_functions(box);
    return box;
}

/* Where the translated code begins and ends: the linker says, because it has a section of its own.
 */
extern const char __start_engine_text[] __attribute__((visibility("hidden")));
extern const char __stop_engine_text[] __attribute__((visibility("hidden")));

/* Takes the signal, for the translated code alone. */
static int install_preemption(struct engine *engine, int signal, char *why, size_t why_size)
{
    const void *const text[] = {__start_engine_text};
    const int error = preempt_install(&engine->preempt, signal, text, 1, why, why_size);
    if (error != 0)
        return error == -EBUSY ? PAWL_E_ALREADY_TAKEN : PAWL_E_SYSTEM;
    engine->preempt.ranges = 1;
    engine->preempt.range[0].from = (uintptr_t)__start_engine_text;
    engine->preempt.range[0].to = (uintptr_t)__stop_engine_text;
    return PAWL_OK;
}

/* Makes the template in `box`. */
static int make_template(struct engine *engine, struct box *box, char *why, size_t why_size)
{
    struct build build = {.engine = engine, .box = box, .why = why, .why_size = why_size};
    const enum box_end end = box_run(box, build_template, &build);
    if (build.done)
        engine->image = box_image_take(box);
    else if (end != BOX_RETURNED)
        snprintf(why, why_size, "the engine stopped while it was prepared: %s",
                 box->fault ? box->fault : "no memory");
    if (engine->image)
        return PAWL_OK;
    return build.done ? PAWL_E_MEMORY : PAWL_E_PLUGIN;
}

int engine_create(struct engine **engine, const struct prepared *prepared, int signal, char *why,
                  size_t why_size)
{
    struct engine *made = calloc(1, sizeof *made);
    if (!made)
        return PAWL_E_MEMORY;
    int status = install_preemption(made, signal, why, why_size);
    if (status != PAWL_OK) {
        free(made);
        return status;
    }
    pthread_mutex_init(&made->lock, NULL);
    pthread_mutex_init(&made->typescript_lock, NULL);
    struct box *box = new_box(DEFAULT_MEMORY, &made->functions);
    if (box) {
        made->idle[made->idle_count++] = box;
        status = prepared ? prepared_use(prepared, made) : make_template(made, box, why, why_size);
    } else {
        snprintf(why, why_size, "no address space for an engine's box");
        status = PAWL_E_MEMORY;
    }
    if (status != PAWL_OK) {
        engine_destroy(made);
        return status;
    }
    *engine = made;
    return PAWL_OK;
}

void engine_destroy(struct engine *engine)
{
    for (unsigned i = 0; i < engine->idle_count; i++)
        box_destroy(engine->idle[i]);
    box_image_free(engine->image);
    box_image_free(engine->typescript.image);
    pthread_mutex_destroy(&engine->typescript_lock);
    pthread_mutex_destroy(&engine->lock);
    preempt_uninstall(&engine->preempt);
    free(engine);
}

static struct box *take_idle(struct engine *engine)
{
    struct box *box = NULL;
    pthread_mutex_lock(&engine->lock);
    if (engine->idle_count > 0)
        box = engine->idle[--engine->idle_count];
    pthread_mutex_unlock(&engine->lock);
    return box;
}

struct box *engine_acquire(struct engine *engine, uint64_t max_memory)
{
    if (max_memory == 0)
        max_memory = DEFAULT_MEMORY;
    const uint64_t size = box_image_size(engine->image) + max_memory;
    struct box *box = take_idle(engine);
    if (box && size > box_capacity(box)) {
        box_destroy(box);
        box = NULL;
    }
    if (!box) {
        struct engine_functions functions;
        const uint64_t usual = box_image_size(engine->image) + DEFAULT_MEMORY;
        box = new_box(size > usual ? size : usual, &functions);
        if (!box)
            box = new_box(size, &functions);
        if (!box)
            return NULL;
    }
    if (engine_restore(engine, box, max_memory))
        return box;
    box_destroy(box);
    return NULL;
}

bool engine_restore(struct engine *engine, struct box *box, uint64_t max_memory)
{
    if (max_memory == 0)
        max_memory = DEFAULT_MEMORY;
    if (!box_image_restore(engine->image, box))
        return false;
    box->runtime = engine->runtime;
    box->engine_stack_size = STACK_SIZE - STACK_MARGIN;
    box_set_maximum(box, box_image_size(engine->image) + max_memory);
    return true;
}

void engine_release(struct engine *engine, struct box *box)
{
    box->host = NULL;
    box->type_error = NULL;
    box_trim(box, box_image_size(engine->image) + KEPT_MEMORY);
    pthread_mutex_lock(&engine->lock);
    const bool kept = engine->idle_count < ENGINE_MAX_IDLE;
    if (kept)
        engine->idle[engine->idle_count++] = box;
    pthread_mutex_unlock(&engine->lock);
    if (!kept)
        box_destroy(box);
}
