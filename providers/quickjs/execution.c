#include "execution.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "failure.h"
#include "suspended.h"
#include "syntax.h"

/* --- Memory --------------------------------------------------------------------------------------
 */

void execution_grow(struct execution *x, void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return;
    const size_t more = *capacity ? *capacity * 2 : 16;
    void *grown = realloc(*array, more * size);
    if (!grown)
        box_leave(x->vm.box, BOX_NO_MEMORY);
    *array = grown;
    *capacity = more;
}

void execution_release(struct execution *x)
{
    free(x->bindings);
    free(x->calls);
    free(x->call_errors);
    free(x->timers);
    free(x->rejections);
    if (x->scratch)
        tokens_free(x->scratch);
    json_stack_release(&x->json_stack);
    program_buffer_release(&x->buffer);
    program_buffer_release(&x->failure.message);
    program_text_release(&x->text);
    free(x->typed);
}

void execution_end(struct execution *x)
{
    box_leave(x->vm.box, BOX_OVER);
}

/* --- What the program finds ----------------------------------------------------------------------
 */

static void define_function(struct execution *x, JSValue object, const char *name, JSValue function)
{
    JS_DefinePropertyValueStr(&x->vm, object, name, JS_DupValue(&x->vm, function),
                              JS_PROP_ENUMERABLE);
}

static JSValue error_class(struct execution *x, JSValue global, const char *name)
{
    struct vm *vm = &x->vm;
    const JSAtom atom = JS_NewAtomLen(vm, name, strlen(name));
    const JSValue text = JS_AtomToString(vm, atom);
    const JSValue class = JS_Call(vm, x->engine->helpers.error_class, JS_UNDEFINED, 1, &text);
    JS_FreeValue(vm, text);
    JS_DefinePropertyValue(vm, global, atom, JS_DupValue(vm, class),
                           JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    JS_FreeAtom(vm, atom);
    return class;
}

/* The class of a namespace that was defined before, when two share one. */
static bool find_error_class(const struct execution *x, const char *name, JSValue *class)
{
    for (uint32_t i = 0; i < x->binding_count; i++) {
        const struct binding *binding = &x->bindings[i];
        if (binding->space->error_class && strcmp(binding->space->error_class, name) == 0) {
            *class = binding->error_class;
            return true;
        }
    }
    return false;
}

static void define_namespace(struct execution *x, JSValue global,
                             const struct pawl_namespace *space)
{
    struct vm *vm = &x->vm;
    JSValue class = x->engine->error;
    if (space->error_class && !find_error_class(x, space->error_class, &class))
        class = error_class(x, global, space->error_class);
    const JSValue object = JS_NewObjectProto(vm, JS_NULL);
    for (uint32_t i = 0; i < space->function_count; i++) {
        const struct pawl_function *function = space->functions[i];
        const JSValue value =
            JS_NewCFunctionData(vm, x->engine->functions.call, 0, (int)x->binding_count, 0, NULL);
        x->bindings[x->binding_count++].error_class = class;
        JS_DefinePropertyValueStr(vm, value, "name",
                                  JS_NewStringLen(vm, function->name, strlen(function->name)),
                                  JS_PROP_CONFIGURABLE);
        define_function(x, object, function->name, value);
        if (function->alias)
            define_function(x, object, function->alias, value);
        JS_FreeValue(vm, value);
    }
    JS_DefinePropertyValueStr(vm, global, space->name, object,
                              JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE | JS_PROP_ENUMERABLE);
}

void execution_list_bindings(struct execution *x)
{
    x->binding_count = 0;
    for (uint32_t i = 0; i < x->run->namespace_count; i++) {
        const struct pawl_namespace *space = x->run->namespaces[i];
        for (uint32_t j = 0; j < space->function_count; j++)
            x->bindings[x->binding_count++] =
                (struct binding){.function = space->functions[j], .space = space};
    }
}

static void define_globals(struct execution *x)
{
    struct vm *vm = &x->vm;
    const JSValue global = JS_GetGlobalObject(vm);
    execution_list_bindings(x);
    x->binding_count = 0; /* of those that are defined */
    for (uint32_t i = 0; i < x->run->namespace_count; i++)
        define_namespace(x, global, x->run->namespaces[i]);
    if (x->run->flags & PAWL_RUN_DISCOVER)
        JS_DefinePropertyValueStr(vm, global, "discover",
                                  JS_DupValue(vm, x->engine->helpers.discover),
                                  JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    JS_FreeValue(vm, global);
}

/* --- Waiting -------------------------------------------------------------------------------------
 */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t execution_now(struct execution *x)
{
    int64_t time = 0;
    if (!(x->run->flags & PAWL_RUN_RECORD))
        return now();
    execution_check(x, x->run->clock(x->run->context, &time));
    return (uint64_t)time;
}

int32_t execution_next(struct execution *x, int32_t wait, struct pawl_settlement *settlement)
{
    *settlement = (struct pawl_settlement){.header = PAWL_HEADER(SETTLEMENT, *settlement)};
    preempt_hold(&x->preempt);
    const int32_t status = x->run->next(x->run->context, wait, settlement);
    preempt_release(&x->preempt);
    return status;
}

static struct timer *next_timer(const struct execution *x)
{
    struct timer *next = NULL;
    for (size_t i = 0; i < x->timer_count; i++) {
        struct timer *timer = &x->timers[i];
        if (!next || timer->due < next->due ||
            (timer->due == next->due && timer->order < next->order))
            next = timer;
    }
    return next;
}

/* Milliseconds until that timer is due, rounded up; -1: there is none. */
static int32_t wait_of(struct execution *x, const struct timer *timer)
{
    if (!timer)
        return -1;
    const uint64_t time = execution_now(x);
    if (timer->due <= time)
        return 0;
    const uint64_t wait = (timer->due - time + 999999) / 1000000;
    return wait > INT32_MAX ? INT32_MAX : (int32_t)wait;
}

/* False: it threw. */
static bool run_timer(struct execution *x, struct timer *timer)
{
    struct vm *vm = &x->vm;
    const JSValue function = JS_DupValue(vm, timer->function);
    const JSValue arguments = JS_DupValue(vm, timer->arguments);
    if (timer->interval > 0) {
        timer->due = execution_now(x) + timer->interval;
        timer->order = ++x->timer_order;
    } else {
        JS_FreeValue(vm, timer->function);
        JS_FreeValue(vm, timer->arguments);
        *timer = x->timers[--x->timer_count];
    }
    const JSValue both[2] = {function, arguments};
    const JSValue result = JS_Call(vm, x->engine->helpers.run_timer, JS_UNDEFINED, 2, both);
    JS_FreeValue(vm, function);
    JS_FreeValue(vm, arguments);
    if (JS_IsException(result))
        return false;
    JS_FreeValue(vm, result);
    return true;
}

/* --- The program ---------------------------------------------------------------------------------
 */

/* Runs what waits to be run. False: it threw. */
static bool run_jobs(struct execution *x)
{
    int status;
    while ((status = JS_ExecutePendingJob(&x->vm)) > 0)
        continue;
    return status == 0;
}

/* Takes a settled call if one comes within so many milliseconds, and otherwise runs the timer, if
 * it is due. False: an exception is pending. */
static bool wait_for(struct execution *x, struct timer *timer, int32_t wait)
{
    if (x->call_count > 0 || wait > 0) {
        struct pawl_settlement settlement;
        const int32_t status = execution_next(x, wait, &settlement);
        if (status == PAWL_OK) {
            execution_settle(x, &settlement);
            return true;
        }
        if (status == PAWL_E_ENDED && !x->holds_value &&
            x->run->cancelled(x->run->context) == PAWL_END_SUSPEND) {
            x->wait = wait;
            suspended_write(x);
        }
        if (status != PAWL_E_TIMEOUT)
            execution_end(x);
    }
    if (timer && timer->due <= execution_now(x))
        return run_timer(x, timer);
    return true;
}

/* One step of waiting: takes a settled call, or runs a timer. False: an exception is pending. */
static bool wait_once(struct execution *x, bool with_timers)
{
    struct timer *timer = with_timers ? next_timer(x) : NULL;
    return wait_for(x, timer, wait_of(x, timer));
}

/* Runs until the promise has settled, and everything that the program did not wait for. False:
 * there is a failure. */
static bool run_until_settled(struct execution *x, JSValue promise)
{
    struct vm *vm = &x->vm;
    for (;;) {
        if (!run_jobs(x)) {
            failure_of_exception(x);
            return false;
        }
        const int state = JS_PromiseState(vm, promise);
        if (state == JS_PROMISE_REJECTED) {
            const JSValue reason = JS_PromiseResult(vm, promise);
            failure_of_reason(x, reason);
            return false;
        }
        const bool ended = state == JS_PROMISE_FULFILLED;
        if (ended && x->call_count == 0)
            return true;
        if (!ended && x->call_count == 0 && x->timer_count == 0) {
            failure_pending(x);
            return false;
        }
        if (!wait_once(x, !ended)) {
            failure_of_exception(x);
            return false;
        }
    }
}

/* Waits for what comes of a promise, which is taken over. */
static bool settle(struct execution *x, JSValue promise, JSValue *value)
{
    x->awaited = promise;
    if (!run_until_settled(x, promise))
        return false;
    *value = JS_PromiseResult(&x->vm, promise);
    JS_FreeValue(&x->vm, promise);
    return true;
}

/* Calls the program, or what it returned, and waits for what comes of it. Takes both over. */
static bool call_and_settle(struct execution *x, JSValue function, JSValue *value)
{
    struct vm *vm = &x->vm;
    JSValue result = JS_Call(vm, function, JS_UNDEFINED, 0, NULL);
    JS_FreeValue(vm, function);
    if (JS_IsException(result)) {
        failure_of_exception(x);
        return false;
    }
    if (JS_PromiseState(vm, result) < 0) {
        /* A program of javascript-es5 has no promise of its own, but what it called may. */
        const JSValue ended = JS_Call(vm, x->engine->helpers.settled, JS_UNDEFINED, 0, NULL);
        *value = result;
        x->holds_value = true;
        return run_until_settled(x, ended);
    }
    return settle(x, result, value);
}

static void write_value(struct execution *x, JSValue value)
{
    struct json_problem problem = {0};
    x->buffer.length = 0;
    switch (json_write(&x->vm, &x->engine->classes, value, "value", &x->json_stack, &x->buffer,
                       &problem)) {
    case JSON_OK:
        x->has_value = true;
        break;
    case JSON_NOTHING:
        break;
    case JSON_LOSSY:
        failure_bad_result(x, &problem);
        break;
    case JSON_THREW:
        failure_of_exception(x);
        break;
    default:
        box_leave(x->vm.box, BOX_NO_MEMORY);
    }
}

/* What the program came to: its value, or what it returned a function for. */
static void conclude(struct execution *x, JSValue value)
{
    if (!x->is_inner && x->text.calls_result && JS_IsFunction(&x->vm, value)) {
        x->is_inner = true;
        const JSValue inner = value;
        if (!call_and_settle(x, inner, &value))
            return;
    }
    if (x->rejection_count > 0) {
        failure_of_reason(x, x->rejections[0].reason);
        return;
    }
    write_value(x, value);
}

void execution_program(struct execution *x)
{
    struct vm *vm = &x->vm;
    define_globals(x);
    const JSValue compiled = syntax_compile(x);
    if (JS_IsException(compiled))
        return;
    const JSValue function = JS_EvalFunction(vm, compiled);
    if (JS_IsException(function)) {
        failure_of_exception(x);
        return;
    }
    JSValue value = JS_UNDEFINED;
    if (call_and_settle(x, function, &value))
        conclude(x, value);
}

void execution_resume(struct execution *x)
{
    JSValue value = JS_UNDEFINED;
    /* Just what it was about to do: its clock has been read. */
    if (!wait_for(x, x->wait >= 0 ? next_timer(x) : NULL, x->wait))
        failure_of_exception(x);
    else if (settle(x, x->awaited, &value))
        conclude(x, value);
}

/* Nanoseconds until the run is over, for the signal that breaks it off. */
static int64_t remaining(void *context)
{
    const struct pawl_run *run = context;
    if (run->cancelled(run->context) != PAWL_END_NONE)
        return 0;
    if (run->deadline == 0)
        return INT64_MAX;
    const int64_t left = (int64_t)(run->deadline - now());
    return left > 0 ? left : 1;
}

/* The engine asks whether the run is over only between JavaScript's own steps, not inside a
 * built-in that runs for minutes. The signal leaves it there: only in the translated code, which
 * holds nothing outside of the box. */
static void run_preemptively(void *context)
{
    struct execution *x = context;
    if (sigsetjmp(x->preempt.exit, 0) != 0)
        box_leave(x->vm.box, BOX_OVER);
    const int error = preempt_begin(&x->preempt);
    if (error == 0)
        x->function(x);
    else
        x->preempt_error = -error;
}

enum box_end execution_run(struct execution *x, struct box *box,
                           void (*function)(struct execution *x))
{
    x->function = function;
    x->vm = engine_vm(x->engine, box);
    box->host = x;
    box->type_error = failure_words;
    x->words = 0;
    x->is_wording = false;
    x->preempt.remaining = remaining;
    x->preempt.context = (void *)(uintptr_t)x->run;
    const enum box_end end = box_run(box, run_preemptively, x);
    preempt_end(&x->preempt);
    return end;
}
