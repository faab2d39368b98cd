/* provider.c - the descriptor of the provider mujs, and its instances. */
#include "json.h"
#include "program.h"
#include "stack.h"
#include "vm.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_HEAP ((size_t)256 << 20) /* when a run has no max_memory */

struct instance {
    struct preempt preempt;
    struct vm_pool pool;
    int signal;
    size_t heap;
};

static int32_t explain(const struct pawl_sink *why, int32_t status, const char *text)
{
    why->write(why->context, text, strlen(text));
    return status;
}

/* --- Configuration ------------------------------------------------------------------------- */

/* Reads an integer member into *value. */
static int read_integer(js_State *J, const char *name, double from, double to, double *value,
                        char *problem, size_t size)
{
    js_getproperty(J, -1, name);
    if (js_isundefined(J, -1)) {
        js_pop(J, 1);
        return 1;
    }
    *value = js_isnumber(J, -1) ? js_tonumber(J, -1) : NAN;
    js_pop(J, 1);
    if (*value >= from && *value <= to && floor(*value) == *value)
        return 1;
    snprintf(problem, size, "\"%s\" must be a whole number from %.0f to %.0f", name, from, to);
    return 0;
}

/* The configuration is read with the engine's own JSON, in a machine that is put back into its
 * initial state afterwards. */
static int read_config(struct vm *vm, const char *config, struct instance *instance, char *problem,
                       size_t size)
{
    js_State *J = vm->J;
    struct json_error error;
    double signal = instance->signal, heap = (double)instance->heap;
    const char *name;

    if (sigsetjmp(vm->preempt.exit, 0) != 0) {
        snprintf(problem, size, "the configuration is too large");
        return 0;
    }
    if (!json_read_utf8(J, config, strlen(config), &error)) {
        snprintf(problem, size, "the configuration is not JSON: %s at byte %zu", error.message,
                 error.offset + 1);
        return 0;
    }
    if (!js_isobject(J, -1) || js_isarray(J, -1)) {
        snprintf(problem, size, "the configuration must be an object");
        return 0;
    }
    js_pushiterator(J, -1, 1);
    while ((name = js_nextiterator(J, -1)) != NULL)
        if (strcmp(name, "signal") != 0 && strcmp(name, "heap") != 0) {
            snprintf(problem, size, "unknown key \"%.100s\": there are \"signal\" and \"heap\"",
                     name);
            return 0;
        }
    js_pop(J, 1);
    if (!read_integer(J, "signal", SIGRTMIN, SIGRTMAX, &signal, problem, size) ||
        !read_integer(J, "heap", (double)VM_MIN_MEMORY, (double)ARENA_MAX, &heap, problem, size))
        return 0;
    instance->signal = (int)signal;
    instance->heap = (size_t)heap;
    return 1;
}

/* --- Instances ----------------------------------------------------------------------------- */

/* A machine with that heap, or with as much as the address space allows. */
static struct vm *take_machine(struct instance *instance, size_t limit)
{
    struct vm *vm;

    if (limit > ARENA_MAX)
        limit = ARENA_MAX;
    while ((vm = vm_pool_take(&instance->pool, limit)) == NULL && errno == ENOMEM &&
           limit / 2 >= VM_MIN_MEMORY)
        limit /= 2;
    return vm;
}

static int32_t open_instance(struct instance *instance, const char *config,
                             const struct pawl_sink *why)
{
    /* Text that may be left: libmujs's, and this plugin's. */
    const void *const text[] = {(const void *)&js_newstate, (const void *)&program_run};
    char problem[256] = "";
    struct vm *vm = take_machine(instance, instance->heap);
    int configured, error;

    if (vm == NULL)
        return explain(why, errno == ENOSYS ? PAWL_E_UNAVAILABLE : PAWL_E_MEMORY,
                       errno == ENOSYS ? "this libmujs is not one of the kind 1.3"
                                       : "there is no memory for a virtual machine");
    configured = read_config(vm, config, instance, problem, sizeof problem);
    vm_pool_give(&instance->pool, vm);
    if (!configured)
        return explain(why, PAWL_E_CONFIG, problem);
    error = preempt_install(&instance->preempt, instance->signal, text, 2, problem, sizeof problem);
    if (error != 0)
        return explain(why, error == -EBUSY ? PAWL_E_ALREADY_TAKEN : PAWL_E_SYSTEM, problem);
    error = preempt_prepare(&instance->preempt);
    if (error != 0) {
        preempt_uninstall(&instance->preempt);
        snprintf(problem, sizeof problem, "no timer can be had: error %d", -error);
        return explain(why, PAWL_E_SYSTEM, problem);
    }
    /* Asked now for this thread: in a child that is confined later, /proc cannot be read then. */
    stack_left();
    return PAWL_OK;
}

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **out)
{
    struct instance *instance = calloc(1, sizeof *instance);
    int32_t status;
    (void)host;

    if (instance == NULL)
        return explain(why, PAWL_E_MEMORY, "out of memory");
    instance->signal = SIGRTMAX - 2;
    instance->heap = DEFAULT_HEAP;
    vm_pool_init(&instance->pool);
    status = open_instance(instance, config, why);
    if (status != PAWL_OK) {
        vm_pool_destroy(&instance->pool);
        free(instance);
        return status;
    }
    *out = instance;
    return PAWL_OK;
}

static void destroy(void *context)
{
    struct instance *instance = context;

    preempt_uninstall(&instance->preempt);
    vm_pool_destroy(&instance->pool);
    free(instance);
}

static uint32_t level(void *instance)
{
    (void)instance;
    return PAWL_LEVEL_PROCESS;
}

static int32_t supports(void *instance, const struct pawl_budget *budget,
                        const struct pawl_sink *why, uint32_t *missing)
{
    (void)instance;
    *missing = 0;
    if (budget->max_memory == 0 || budget->max_memory >= VM_MIN_MEMORY)
        return PAWL_OK;
    *missing = PAWL_BUDGET_MAX_MEMORY;
    return explain(why, PAWL_E_UNSUPPORTED, "a virtual machine needs at least 1 MiB");
}

static uint32_t egress(void *instance)
{
    (void)instance;
    return PAWL_EGRESS_NONE;
}

static const char *const *languages(void *instance)
{
    static const char *const names[] = {"javascript-es5", NULL};

    (void)instance;
    return names;
}

static void state_facts(const struct pawl_run *run)
{
    static const char nothing[] = "{\"grade\":\"full\",\"by\":\"mujs: the language has no such "
                                  "functions; not a kernel boundary\"}";
    static const char heap[] = "{\"grade\":\"full\",\"by\":\"mujs: the heap of the virtual "
                               "machine\"}";

    run->fact(run->context, "files", nothing, sizeof nothing - 1);
    run->fact(run->context, "network", nothing, sizeof nothing - 1);
    run->fact(run->context, "memory", heap, sizeof heap - 1);
}

static int32_t run(void *context, const struct pawl_run *run, const struct pawl_sink *why)
{
    struct instance *instance = context;
    size_t limit = run->budget->max_memory != 0 ? run->budget->max_memory : instance->heap;
    char problem[256];
    struct vm *vm;
    int32_t status;

    if (stack_left() < STACK_NEEDED) {
        snprintf(problem, sizeof problem,
                 "the calling thread has %zu KiB of stack left, libmujs needs %zu KiB: run "
                 "programs on a thread with a stack of 1 MiB",
                 stack_left() / 1024, STACK_NEEDED / 1024);
        return explain(why, PAWL_E_UNAVAILABLE, problem);
    }
    vm = take_machine(instance, limit);
    if (vm == NULL)
        return explain(why, errno == ENOMEM ? PAWL_E_MEMORY : PAWL_E_UNAVAILABLE,
                       "there is no memory for a virtual machine");
    state_facts(run);
    status = program_run(vm, &instance->preempt, run, why);
    vm_pool_give(&instance->pool, vm);
    return status;
}

const struct pawl_provider *pawl_provider_entry_v1(void)
{
    static const struct pawl_provider provider = {
        .header = PAWL_HEADER(PROVIDER, provider),
        .name = "mujs",
        .version = "1",
        .description = "libmujs in the caller's process: small, quick to start, ECMAScript 5",
        .threads = PAWL_THREADS_PARALLEL,
        .create = create,
        .destroy = destroy,
        .level = level,
        .supports = supports,
        .egress = egress,
        .languages = languages,
        .run = run,
    };

    return &provider;
}
