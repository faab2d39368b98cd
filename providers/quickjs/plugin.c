/* The provider's descriptor, and what it does for one run. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <pawl/provider.h>

#include "execution.h"
#include "failure.h"
#include "prepared.h"
#include "providers/program/await.h"
#include "suspended.h"
#include "typescript.h"

static void say(const struct pawl_sink *sink, const char *text)
{
    sink->write(sink->context, text, strlen(text));
}

/* --- Instances -----------------------------------------------------------------------------------
 */

/* {} or {"signal": N}. */
static bool read_config(const char *config, int *signal)
{
    int end = 0;
    sscanf(config, " { }%n", &end);
    if (end == 0)
        sscanf(config, " { \"signal\" : %d }%n", signal, &end);
    if (end == 0)
        return false;
    return config[end + (int)strspn(config + end, " \t\r\n")] == '\0' && *signal >= SIGRTMIN &&
           *signal <= SIGRTMAX;
}

static int32_t create(const struct pawl_host *host, const char *config, const struct pawl_sink *why,
                      void **instance)
{
    (void)host;
    int signal = SIGRTMAX - 3; /* the mujs provider's is another */
    char reason[512] = "";
    if (!read_config(config, &signal)) {
        snprintf(reason, sizeof reason,
                 "the configuration of quickjs is {} or {\"signal\": N}, a number from %d to %d",
                 SIGRTMIN, SIGRTMAX);
        say(why, reason);
        return PAWL_E_CONFIG;
    }
    struct engine *engine;
    const int status = engine_create(
        &engine, prepared_open(prepared_start, (size_t)(prepared_end - prepared_start)), signal,
        reason, sizeof reason);
    if (status != PAWL_OK) {
        say(why, reason);
        return status;
    }
    *instance = engine;
    return PAWL_OK;
}

static void destroy(void *instance)
{
    engine_destroy(instance);
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
    if (budget->max_memory > ENGINE_MAX_MEMORY) {
        *missing = PAWL_BUDGET_MAX_MEMORY;
        say(why, "max_memory is more than the 3 GiB that the engine can address");
        return PAWL_E_UNSUPPORTED;
    }
    return PAWL_OK;
}

/* A program reaches no network: the engine has no function that does. */
static uint32_t egress(void *instance)
{
    (void)instance;
    return PAWL_EGRESS_NONE;
}

static const char *const *languages(void *instance)
{
    (void)instance;
    static const char *const names[] = {"javascript", "javascript-es5", NULL};
    return names;
}

/* --- One run -------------------------------------------------------------------------------------
 */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void state(const struct pawl_run *run, const char *fact, const char *json)
{
    run->fact(run->context, fact, json, strlen(json));
}

static void state_facts(const struct pawl_run *run, uint64_t setup, uint64_t peak)
{
    char text[128];
    state(run, "files", "{\"grade\":\"full\",\"by\":\"the engine has no access to files\"}");
    state(run, "network", "{\"grade\":\"full\",\"by\":\"the engine has no access to networks\"}");
    if (run->budget->max_memory > 0)
        state(run, "memory", "{\"grade\":\"full\",\"by\":\"the engine's linear memory\"}");
    snprintf(text, sizeof text, "%" PRIu64 ".%03u", setup / 1000000,
             (unsigned)(setup / 1000 % 1000));
    state(run, "setup_ms", text);
    snprintf(text, sizeof text, "%" PRIu64, peak);
    state(run, "peak_memory", text);
}

/* Makes the text that the engine is given. False: the failure says what is wrong. */
static bool prepare(struct execution *x, int *status)
{
    /* Both are as long as the prelude takes them to be (base.js), for the columns of stacks. */
    const struct program_options options = {
        .prefix = x->is_synchronous ? "(      function () {" : "(async function () {",
        .suffix = "\n})",
    };
    struct program_error error;
    switch (
        program_prepare(x->run->program.data, x->run->program.size, &options, &x->text, &error)) {
    case 0:
        break;
    case PROGRAM_E_SYNTAX:
        failure_of_text(x, &error);
        return false;
    default:
        *status = PAWL_E_MEMORY;
        return false;
    }
    if (x->is_synchronous)
        program_await_erase(x->text.text + x->text.body, x->text.body_length);
    return true;
}

static uint32_t count_functions(const struct pawl_run *run)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->namespace_count; i++)
        count += run->namespaces[i]->function_count;
    return count;
}

/* How a box that was left makes a failure. */
static int judge(struct execution *x, enum box_end end, const struct pawl_sink *why)
{
    switch (end) {
    case BOX_RETURNED:
        return PAWL_OK;
    case BOX_OVER:
        if (x->run->cancelled(x->run->context) != PAWL_END_NONE)
            return PAWL_OK;
        say(why, "a service of the host failed");
        return PAWL_E_SYSTEM;
    case BOX_NO_MEMORY:
        failure_say(x, "budget_memory",
                    "the program used up its memory: keep less at once, or ask for less data");
        return PAWL_OK;
    case BOX_NO_STACK:
        failure_say(x, "runtime", "RangeError: Maximum call stack size exceeded");
        return PAWL_OK;
    default:
        say(why, "the engine broke off: ");
        say(why, x->vm.box->fault ? x->vm.box->fault : "unknown fault");
        return PAWL_E_PLUGIN;
    }
}

static int32_t finish(struct execution *x)
{
    const struct pawl_run *run = x->run;
    const struct failure *failure = &x->failure;
    if (!failure->kind)
        return x->has_value ? run->value(run->context, x->buffer.data, x->buffer.length)
                            : run->value(run->context, NULL, 0);
    const struct pawl_failure said = {
        .header = PAWL_HEADER(FAILURE, said),
        .kind = failure->kind,
        .message = {failure->message.data, (uint32_t)failure->message.length, 0},
        .subject = {failure->subject, (uint32_t)strlen(failure->subject), 0},
        .call = failure->call,
        .line = failure->line,
        .column = x->was_erased && !typescript_keeps_column(x, x->place) ? 0 : failure->column,
    };
    return run->fail(run->context, &said);
}

/* Goes on with a program that was suspended. */
static enum box_end resume(struct execution *x, struct box *box, const struct pawl_sink *why,
                           int *status)
{
    const struct pawl_text *image = &x->run->image;
    execution_list_bindings(x);
    if ((suspended_was_erased(image) && !typescript_erase(x)) || !suspended_read(x, box, image))
        *status = PAWL_E_UNSUPPORTED;
    if (*status == PAWL_OK)
        return execution_run(x, box, execution_resume);
    say(why,
        "the image of the suspended program is malformed, or needs more memory than it may have");
    return BOX_OVER;
}

static int32_t run_in_box(struct execution *x, struct box *box, uint64_t started,
                          const struct pawl_sink *why)
{
    const uint64_t setup = now() - started;
    int status = PAWL_OK;
    enum box_end end = x->run->image.data != NULL ? resume(x, box, why, &status)
                                                  : execution_run(x, box, execution_program);
    if (status != PAWL_OK)
        return status;
    if (end == BOX_RETURNED && x->has_types && typescript_erase(x)) {
        end = engine_restore(x->engine, box, x->run->budget->max_memory)
                  ? execution_run(x, box, execution_program)
                  : BOX_NO_MEMORY;
    }
    status = judge(x, end, why);
    if (x->preempt_error != 0) {
        say(why, "a run cannot be made to end in time: ");
        say(why, strerror(x->preempt_error));
        status = PAWL_E_UNAVAILABLE;
    }
    if (status != PAWL_OK)
        return status;
    state_facts(x->run, setup, box->peak - box_image_size(x->engine->image));
    if (end != BOX_OVER)
        finish(x);
    return PAWL_OK;
}

static int32_t run_program(void *instance, const struct pawl_run *run, const struct pawl_sink *why)
{
    struct engine *engine = instance;
    const uint64_t started = now();
    struct execution x = {
        .run = run,
        .engine = engine,
        .preempt.preempt = &engine->preempt,
        .is_synchronous = strcmp(run->language, "javascript-es5") == 0,
    };
    int status = PAWL_OK;
    if (run->image.data != NULL && !suspended_is_known(engine, &run->image)) {
        say(why, "the program was suspended by another build");
        return PAWL_E_UNSUPPORTED;
    }
    x.bindings = calloc(count_functions(run) + 1, sizeof *x.bindings);
    if (!x.bindings) {
        status = PAWL_E_MEMORY;
    } else if (count_functions(run) > UINT16_MAX) {
        say(why, "more than 65535 functions");
        status = PAWL_E_LIMIT;
    } else if (prepare(&x, &status)) {
        struct box *box = engine_acquire(engine, run->budget->max_memory);
        if (box) {
            status = run_in_box(&x, box, started, why);
            engine_release(engine, box);
        } else {
            status = PAWL_E_MEMORY;
        }
    } else if (x.failure.kind) {
        finish(&x);
    }
    if (status == PAWL_E_MEMORY)
        say(why, "no memory for an engine");
    execution_release(&x);
    return status;
}

PAWL_EXPORT const struct pawl_provider *pawl_provider_entry_v1(void)
{
    static const struct pawl_provider provider = {
        .header = PAWL_HEADER(PROVIDER, provider),
        .name = "quickjs",
        .version = "0.1.0",
        .offers_bits = PAWL_OFFERS_IMAGE,
        .description = "QuickJS-NG as WebAssembly, translated to C: ECMAScript 2023",
        .threads = PAWL_THREADS_PARALLEL,
        .create = create,
        .destroy = destroy,
        .level = level,
        .supports = supports,
        .egress = egress,
        .languages = languages,
        .run = run_program,
    };
    return &provider;
}
