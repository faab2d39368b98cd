#include "host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "execution.h"

/* --- What the module imports ---------------------------------------------------------------------
 */

#define WASI_SUCCESS 0u
#define WASI_BADF    8u
#define WASI_INVAL   28u

typedef struct Z_env_instance_t env;
typedef struct Z_wasi_snapshot_preview1_instance_t wasi;

/* An address that the engine gave, or NULL if it is none. */
static void *guest(void *instance, uint32_t address, uint32_t size)
{
    struct box *box = instance;
    if ((uint64_t)address + size > box->instance.w2c_memory.size)
        return NULL;
    return box_at(box, address);
}

/* Asked now and then while JavaScript runs. */
u32 Z_envZ_host_interrupt(env *instance)
{
    struct execution *x = execution_of(instance);
    if (x && x->run->cancelled(x->run->context) != PAWL_END_NONE)
        execution_end(x);
    return 0;
}

/* Programs see one time zone, UTC, wherever they run. */
u32 Z_envZ_host_get_timezone_offset(env *instance, u32 high, u32 low)
{
    (void)instance, (void)high, (void)low;
    return 0;
}

/* The package's own ways to call its host: pawl puts functions into the table instead. */
u32 Z_envZ_host_call(env *instance, u32 name, u32 size, u32 this_value, u32 argc, u32 argv)
{
    (void)name, (void)size, (void)this_value, (void)argc, (void)argv;
    box_trap((struct box *)(void *)instance, WASM_RT_TRAP_UNREACHABLE);
}

u32 Z_envZ_host_module_load(env *instance, u32 name, u32 size)
{
    (void)name, (void)size;
    box_trap((struct box *)(void *)instance, WASM_RT_TRAP_UNREACHABLE);
}

u32 Z_envZ_host_module_normalize(env *instance, u32 base, u32 name)
{
    (void)base, (void)name;
    box_trap((struct box *)(void *)instance, WASM_RT_TRAP_UNREACHABLE);
}

void Z_envZ_host_promise_rejection(env *instance, u32 promise, u32 reason, u32 handled)
{
    (void)promise, (void)reason, (void)handled;
    box_trap((struct box *)(void *)instance, WASM_RT_TRAP_UNREACHABLE);
}

u32 Z_wasi_snapshot_preview1Z_clock_time_get(wasi *instance, u32 id, u64 precision, u32 result)
{
    (void)id, (void)precision;
    struct execution *x = execution_of(instance);
    int64_t time = 0;
    if (x)
        execution_check(x, x->run->clock(x->run->context, &time));
    void *to = guest(instance, result, sizeof time);
    if (!to)
        return WASI_INVAL;
    memcpy(to, &time, sizeof time);
    return WASI_SUCCESS;
}

u32 Z_wasi_snapshot_preview1Z_random_get(wasi *instance, u32 buffer, u32 size)
{
    struct execution *x = execution_of(instance);
    void *to = guest(instance, buffer, size);
    if (!to)
        return WASI_INVAL;
    memset(to, 0, size);
    if (x)
        execution_check(x, x->run->random(x->run->context, to, size));
    return WASI_SUCCESS;
}

/* There are no files. */
u32 Z_wasi_snapshot_preview1Z_fd_close(wasi *instance, u32 fd)
{
    (void)instance, (void)fd;
    return WASI_BADF;
}

u32 Z_wasi_snapshot_preview1Z_fd_fdstat_get(wasi *instance, u32 fd, u32 result)
{
    (void)instance, (void)fd, (void)result;
    return WASI_BADF;
}

u32 Z_wasi_snapshot_preview1Z_fd_seek(wasi *instance, u32 fd, u64 offset, u32 whence, u32 result)
{
    (void)instance, (void)fd, (void)offset, (void)whence, (void)result;
    return WASI_BADF;
}

u32 Z_wasi_snapshot_preview1Z_fd_write(wasi *instance, u32 fd, u32 vectors, u32 count, u32 result)
{
    (void)instance, (void)fd, (void)vectors, (void)count, (void)result;
    return WASI_BADF;
}

/* --- Calls of bindings ---------------------------------------------------------------------------
 */

/* An error of the binding's class, with the stack of the call that is being made. */
static JSValue make_call_error(struct execution *x, const struct binding *binding)
{
    struct vm *vm = &x->vm;
    const char *property = binding->space->member_property;
    const char *name = binding->function->name;
    JSValue arguments[3] = {
        binding->error_class,
        property ? JS_NewStringLen(vm, property, strlen(property)) : JS_NULL,
        JS_NewStringLen(vm, name, strlen(name)),
    };
    const JSValue error = JS_Call(vm, x->engine->helpers.call_error, JS_UNDEFINED, 3, arguments);
    JS_FreeValue(vm, arguments[1]);
    JS_FreeValue(vm, arguments[2]);
    return error;
}

static JSValue text_of_call(struct vm *vm, uint32_t argc, vm_address argv)
{
    const JSValue array = JS_NewArray(vm);
    /* Trailing undefined arguments are as good as none. */
    while (argc > 0 && JS_IsUndefined(vm_argument(vm, argc, argv, argc - 1)))
        argc--;
    for (uint32_t i = 0; i < argc; i++)
        JS_SetPropertyUint32(vm, array, i, JS_DupValue(vm, vm_argument(vm, argc, argv, i)));
    return array;
}

/* Writes the arguments into x->buffer. False: an exception is pending, or *rejection is the error
 * that the call is rejected with. */
static bool write_arguments(struct execution *x, const struct binding *binding, uint32_t argc,
                            vm_address argv, JSValue *rejection)
{
    struct vm *vm = &x->vm;
    struct json_problem problem = {0};
    x->buffer.length = 0;
    const JSValue arguments = text_of_call(vm, argc, argv);
    const enum json_status status = json_write(vm, &x->engine->classes, arguments, "arguments",
                                               &x->json_stack, &x->buffer, &problem);
    JS_FreeValue(vm, arguments);
    switch (status) {
    case JSON_OK:
        return true;
    case JSON_LOSSY: {
        struct pawl_settlement settlement = {
            .header = PAWL_HEADER(SETTLEMENT, settlement),
            .status = PAWL_SETTLED_ERROR,
            .code = "bad_arguments",
        };
        char message[sizeof problem.message + 128];
        const int size = snprintf(message, sizeof message, "%s.%s: %s", binding->space->name,
                                  binding->function->name, problem.message);
        settlement.text = (struct pawl_text){
            message, size < (int)sizeof message ? (uint32_t)size : (uint32_t)sizeof message - 1, 0};
        const JSValue error = make_call_error(x, binding);
        if (!JS_IsException(error))
            *rejection = execution_call_error(x, error, binding->function, &settlement);
        return false;
    }
    case JSON_THREW:
        return false;
    default:
        box_leave(vm->box, BOX_NO_MEMORY);
    }
}

static JSValue settled_value(struct vm *vm, const struct pawl_settlement *settlement)
{
    return JS_ParseJSON(vm, settlement->text.data, settlement->text.size, "<result>");
}

/* Waits until that call has settled. */
static JSValue wait_for_call(struct execution *x, uint64_t id, JSValue error,
                             const struct pawl_function *function)
{
    for (;;) {
        struct pawl_settlement settlement;
        const int32_t status = execution_next(x, -1, &settlement);
        if (status == PAWL_E_TIMEOUT)
            continue;
        execution_check(x, status);
        if (settlement.id != id)
            continue;
        if (settlement.status == PAWL_SETTLED_OK) {
            JS_FreeValue(&x->vm, error);
            return settled_value(&x->vm, &settlement);
        }
        return JS_Throw(&x->vm, execution_call_error(x, error, function, &settlement));
    }
}

/* A promise that is rejected with `reason`, which is taken over. */
static JSValue rejected_promise(struct vm *vm, JSValue reason)
{
    JSValue resolving[2];
    const JSValue promise = JS_NewPromiseCapability(vm, resolving);
    if (!JS_IsException(promise)) {
        JS_FreeValue(vm, JS_Call(vm, resolving[1], JS_UNDEFINED, 1, &reason));
        JS_FreeValue(vm, resolving[0]);
        JS_FreeValue(vm, resolving[1]);
    }
    JS_FreeValue(vm, reason);
    return promise;
}

/* The function behind every binding; `index` is the binding's. */
static JSValue call_binding(Z_qjs_instance_t *instance, vm_address context, JSValue this_value,
                            uint32_t argc, vm_address argv, uint32_t index, vm_address data)
{
    (void)context, (void)this_value, (void)data;
    struct execution *x = execution_of(instance);
    struct vm *vm = &x->vm;
    if (index >= x->binding_count)
        box_trap(vm->box, WASM_RT_TRAP_UNREACHABLE);
    const struct binding *binding = &x->bindings[index];

    JSValue rejection = JS_UNDEFINED;
    if (!write_arguments(x, binding, argc, argv, &rejection)) {
        if (JS_IsUndefined(rejection))
            return JS_EXCEPTION;
        return x->is_synchronous ? JS_Throw(vm, rejection) : rejected_promise(vm, rejection);
    }
    const JSValue error = make_call_error(x, binding);
    if (JS_IsException(error))
        return JS_EXCEPTION;
    uint64_t id;
    execution_check(x, x->run->call(x->run->context, binding->function->index, x->buffer.data,
                                    x->buffer.length, &id));
    if (x->is_synchronous)
        return wait_for_call(x, id, error, binding->function);

    JSValue resolving[2];
    const JSValue promise = JS_NewPromiseCapability(vm, resolving);
    if (JS_IsException(promise))
        return JS_EXCEPTION;
    *EXECUTION_PUSH(x, call, calls) =
        (struct pending_call){id, binding->function, resolving[0], resolving[1], error};
    return promise;
}

bool execution_settle(struct execution *x, const struct pawl_settlement *settlement)
{
    struct vm *vm = &x->vm;
    size_t i = 0;
    while (i < x->call_count && x->calls[i].id != settlement->id)
        i++;
    if (i == x->call_count)
        return false;
    const struct pending_call call = x->calls[i];
    x->calls[i] = x->calls[--x->call_count];

    JSValue value = JS_EXCEPTION;
    JSValue settle = call.resolve;
    if (settlement->status == PAWL_SETTLED_OK) {
        value = settled_value(vm, settlement);
        if (JS_IsException(value)) { /* deeper than the engine can read */
            value = JS_GetException(vm);
            settle = call.reject;
        }
        JS_FreeValue(vm, call.error);
    } else {
        value = execution_call_error(x, call.error, call.function, settlement);
        settle = call.reject;
    }
    JS_FreeValue(vm, JS_Call(vm, settle, JS_UNDEFINED, 1, &value));
    JS_FreeValue(vm, value);
    JS_FreeValue(vm, call.resolve);
    JS_FreeValue(vm, call.reject);
    return true;
}

JSValue execution_call_error(struct execution *x, JSValue error,
                             const struct pawl_function *function,
                             const struct pawl_settlement *settlement)
{
    struct vm *vm = &x->vm;
    const uint32_t hidden = JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE;
    const char *code = settlement->code ? settlement->code : "tool_error";
    JS_DefinePropertyValueStr(vm, error, "message",
                              JS_NewStringLen(vm, settlement->text.data, settlement->text.size),
                              hidden);
    JS_DefinePropertyValueStr(vm, error, "code", JS_NewStringLen(vm, code, strlen(code)),
                              hidden | JS_PROP_ENUMERABLE);
    *EXECUTION_PUSH(x, call_error, call_errors) =
        (struct call_error){settlement->id, function, JS_DupValue(vm, error)};
    return error;
}

/* --- Other functions that JavaScript calls -------------------------------------------------------
 */

static void append(void *context, const char *text, size_t size)
{
    struct execution *x = context;
    program_buffer_append(&x->buffer, text, size);
}

/* discover(query) */
static JSValue discover(Z_qjs_instance_t *instance, vm_address context, JSValue this_value,
                        uint32_t argc, vm_address argv, uint32_t magic, vm_address data)
{
    (void)context, (void)this_value, (void)magic, (void)data;
    struct execution *x = execution_of(instance);
    struct vm *vm = &x->vm;
    uint32_t size = 0;
    vm_address address = 0;
    const JSValue argument = vm_argument(vm, argc, argv, 0);
    const char *query =
        JS_IsUndefined(argument) ? "" : JS_ToCStringLen(vm, &size, argument, &address);
    if (!query)
        return JS_EXCEPTION;
    const struct pawl_sink sink = {PAWL_HEADER(SINK, sink), x, append};
    x->buffer.length = 0;
    const int32_t status = x->run->discover(x->run->context, query, size, &sink);
    if (address)
        JS_FreeCString(vm, address);
    if (status == PAWL_E_ENDED)
        execution_end(x);
    if (status != PAWL_OK)
        return vm_throw_type_error(vm, "discover is not possible here");
    return JS_ParseJSON(vm, x->buffer.data ? x->buffer.data : "[]",
                        x->buffer.data ? x->buffer.length : 2, "<discovered>");
}

/* log(text) */
static JSValue log_text(Z_qjs_instance_t *instance, vm_address context, JSValue this_value,
                        uint32_t argc, vm_address argv, uint32_t magic, vm_address data)
{
    (void)context, (void)this_value, (void)magic, (void)data;
    struct execution *x = execution_of(instance);
    uint32_t size;
    vm_address address;
    const char *text = JS_ToCStringLen(&x->vm, &size, vm_argument(&x->vm, argc, argv, 0), &address);
    if (!text)
        return JS_EXCEPTION;
    const int32_t status = x->run->log(x->run->context, text, size);
    JS_FreeCString(&x->vm, address);
    execution_check(x, status);
    return JS_UNDEFINED;
}

/* setTimeout(function, milliseconds, ...arguments); the prelude has checked the first two. */
static JSValue set_timer(Z_qjs_instance_t *instance, vm_address context, JSValue this_value,
                         uint32_t argc, vm_address argv, uint32_t magic, vm_address data)
{
    (void)context, (void)this_value, (void)data;
    struct execution *x = execution_of(instance);
    struct vm *vm = &x->vm;
    double wait;
    if (!JS_ToFloat64(vm, &wait, vm_argument(vm, argc, argv, 1)))
        return JS_EXCEPTION;
    if (!(wait >= 1 && wait <= INT32_MAX))
        wait = magic == HOST_TIMER_REPEATED || wait > INT32_MAX ? 1 : 0;
    const JSValue function = vm_argument(vm, argc, argv, 0);
    const JSValue arguments = vm_argument(vm, argc, argv, 2);
    const uint64_t interval = (uint64_t)(wait * 1e6);
    *EXECUTION_PUSH(x, timer, timers) = (struct timer){
        .id = ++x->last_timer,
        .due = execution_now(x) + interval,
        .interval = magic == HOST_TIMER_REPEATED ? interval : 0,
        .order = ++x->timer_order,
        .function = JS_DupValue(vm, function),
        .arguments = JS_DupValue(vm, arguments),
    };
    return JS_NewInt32((int32_t)x->last_timer);
}

/* clearTimeout(id), clearInterval(id) */
static JSValue clear_timer(Z_qjs_instance_t *instance, vm_address context, JSValue this_value,
                           uint32_t argc, vm_address argv, uint32_t magic, vm_address data)
{
    (void)context, (void)this_value, (void)magic, (void)data;
    struct execution *x = execution_of(instance);
    const JSValue id = vm_argument(&x->vm, argc, argv, 0);
    for (size_t i = 0; JS_IsInt(id) && i < x->timer_count; i++) {
        struct timer *timer = &x->timers[i];
        if (timer->id != (uint32_t)JS_VALUE_GET_INT(id))
            continue;
        JS_FreeValue(&x->vm, timer->function);
        JS_FreeValue(&x->vm, timer->arguments);
        *timer = x->timers[--x->timer_count];
        break;
    }
    return JS_UNDEFINED;
}

/* Math.random(): xoroshiro128+, begun from the host's random bytes. The engine's own would give
 * every run the template's numbers. */
static JSValue random_number(Z_qjs_instance_t *instance, vm_address context, JSValue this_value,
                             uint32_t argc, vm_address argv, uint32_t magic, vm_address data)
{
    (void)context, (void)this_value, (void)argc, (void)argv, (void)magic, (void)data;
    struct execution *x = execution_of(instance);
    uint64_t *state = x->random;
    if (state[0] == 0 && state[1] == 0) {
        execution_check(x, x->run->random(x->run->context, state, sizeof x->random));
        state[0] |= 1;
    }
    const uint64_t a = state[0];
    uint64_t b = state[1];
    const uint64_t sum = a + b;
    b ^= a;
    state[0] = (a << 24 | a >> 40) ^ b ^ b << 16;
    state[1] = b << 37 | b >> 27;
    return JS_NewFloat64(&x->vm, (double)(sum >> 11) * 0x1p-53);
}

/* A promise was rejected and nobody handles it; or, later, somebody does. */
static void note_rejection(Z_qjs_instance_t *instance, vm_address context, JSValue promise,
                           JSValue reason, uint32_t handled, uint32_t opaque)
{
    (void)context, (void)opaque;
    struct execution *x = execution_of(instance);
    if (!x)
        return;
    if (!handled) {
        *EXECUTION_PUSH(x, rejection, rejections) =
            (struct rejection){JS_DupValue(&x->vm, promise), JS_DupValue(&x->vm, reason)};
        return;
    }
    for (size_t i = 0; i < x->rejection_count; i++) {
        struct rejection *rejection = &x->rejections[i];
        if (rejection->promise != promise)
            continue;
        JS_FreeValue(&x->vm, rejection->promise);
        JS_FreeValue(&x->vm, rejection->reason);
        memmove(rejection, rejection + 1, (--x->rejection_count - i) * sizeof *rejection);
        break;
    }
}

struct engine_functions host_add_functions(struct box *box)
{
    const uint32_t type = box_type(BOX_TYPE_FUNCTION);
#define ADD(function) box_add_function(box, (wasm_rt_function_ptr_t)(function), type)
    return (struct engine_functions){
        .call = ADD(call_binding),
        .discover = ADD(discover),
        .log = ADD(log_text),
        .set_timer = ADD(set_timer),
        .clear_timer = ADD(clear_timer),
        .random = ADD(random_number),
        .rejection = box_add_function(box, (wasm_rt_function_ptr_t)note_rejection,
                                      box_type(BOX_TYPE_REJECTION)),
    };
#undef ADD
}
