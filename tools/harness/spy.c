#include "tools/harness/spy.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"

/* A process checks one requirement of one plugin, so that there is one spy. */
static struct {
    const struct plugin *plugin;
    struct pawl_provider descriptor;
    struct spy_guise guise;
    struct spy_findings findings;
    atomic_uint clock_readings;
    atomic_uint random_readings;
    atomic_uint services;
    char *large_error;
    void *_Atomic first;
} spy;

struct spy_findings *spy_findings(void)
{
    return &spy.findings;
}

struct spy_guise *spy_guise(void)
{
    return &spy.guise;
}

void spy_forget(void)
{
    memset(&spy.findings, 0, sizeof(spy.findings));
    spy.clock_readings = spy.random_readings = spy.services = 0;
}

void *spy_instance(void)
{
    return spy.first;
}

unsigned spy_clock_readings(void)
{
    return spy.clock_readings;
}

unsigned spy_random_readings(void)
{
    return spy.random_readings;
}

unsigned spy_services(void)
{
    return spy.services;
}

/* --- One run ------------------------------------------------------------------------------- */

/* Members that a later minor version may add at the end of a struct. */
struct later {
    unsigned char members[128];
};

struct spied_run {
    struct {
        struct pawl_run view;
        struct later later;
    } seen;
    const struct pawl_run *real;
    pthread_t thread;
    atomic_int returned;
    int ended;         /* value or fail was said */
    int told;          /* a service said PAWL_E_ENDED */
    unsigned services; /* how often one was used */
};

/* A plugin may use a run's services after it has returned. So that this is found, rather than what
 * comes of it, a run is remembered until so many others have been. */
#define REMEMBERED 64
static struct spied_run *_Atomic remembered[REMEMBERED];
static atomic_uint next_remembered;

static void remember(struct spied_run *run)
{
    unsigned place = next_remembered++ % REMEMBERED;
    free(atomic_exchange(&remembered[place], run));
}

/* Whether a service may be used now; otherwise it is a finding. */
static int admit(struct spied_run *run, const char *service)
{
    struct spy_findings *found = &spy.findings;
    atomic_uint *fault = NULL;
    if (run->returned)
        fault = &found->after_return;
    else if (!pthread_equal(pthread_self(), run->thread))
        fault = &found->other_thread;
    else if (run->ended)
        fault = &found->after_end;
    if (fault == NULL)
        return 1;
    (*fault)++;
    found->service = service;
    return 0;
}

/* The same for services that a program's own doing leads to, which the end of a run stops. */
static int admit_program(struct spied_run *run, const char *service)
{
    if (!admit(run, service))
        return 0;
    if (run->told) {
        spy.findings.ran_on++;
        spy.findings.service = service;
    }
    return 1;
}

/* Counts the use of a service; what is to happen at this one happens. Whether it fails. */
static int count_service(struct spied_run *run)
{
    spy.services = ++run->services;
    if (spy.guise.cancel != NULL && run->services == spy.guise.cancel_at)
        pawl_cancel_now(spy.guise.cancel);
    return spy.guise.fail_at != 0 && run->services == spy.guise.fail_at;
}

static int32_t told(struct spied_run *run, int32_t status)
{
    if (status == PAWL_E_ENDED)
        run->told = 1;
    return status;
}

static int32_t spy_call(void *context, uint32_t function, const char *arguments, size_t size,
                        uint64_t *id)
{
    struct spied_run *run = context;
    if (!admit_program(run, "call"))
        return PAWL_E_STATE;
    if (count_service(run))
        return PAWL_E_MEMORY;
    return told(run, run->real->call(run->real->context, function, arguments, size, id));
}

static struct pawl_text large_error(void)
{
    size_t size = spy.guise.large_error;
    if (spy.large_error == NULL && (spy.large_error = malloc(size)) != NULL)
        memset(spy.large_error, 'x', size);
    return (struct pawl_text){spy.large_error, spy.large_error != NULL ? (uint32_t)size : 0, 0};
}

static int32_t spy_next(void *context, int32_t timeout, struct pawl_settlement *settlement)
{
    struct spied_run *run = context;
    if (!admit(run, "next"))
        return PAWL_E_STATE;
    count_service(run);
    int32_t status = run->real->next(run->real->context, timeout, settlement);
    if (status == PAWL_OK && settlement->status == PAWL_SETTLED_ERROR && spy.guise.large_error != 0)
        settlement->text = large_error();
    return told(run, status);
}

static int32_t spy_settled_fd(void *context)
{
    struct spied_run *run = context;
    if (!admit(run, "settled_fd"))
        return PAWL_E_STATE;
    return run->real->settled_fd(run->real->context);
}

static int32_t spy_log(void *context, const char *text, size_t size)
{
    struct spied_run *run = context;
    if (!admit_program(run, "log"))
        return PAWL_E_STATE;
    if (count_service(run))
        return PAWL_E_MEMORY;
    return told(run, run->real->log(run->real->context, text, size));
}

static int32_t spy_discover(void *context, const char *query, size_t size,
                            const struct pawl_sink *answer)
{
    struct spied_run *run = context;
    if (!admit_program(run, "discover"))
        return PAWL_E_STATE;
    if (count_service(run))
        return PAWL_E_MEMORY;
    return told(run, run->real->discover(run->real->context, query, size, answer));
}

/* [any thread; safe in a signal handler] */
static uint32_t spy_cancelled(void *context)
{
    struct spied_run *run = context;
    if (run->returned) {
        spy.findings.after_return++;
        spy.findings.service = "cancelled";
        return PAWL_END_ABORT;
    }
    return run->real->cancelled(run->real->context);
}

static int32_t spy_clock(void *context, int64_t *nanoseconds)
{
    struct spied_run *run = context;
    if (!admit(run, "clock"))
        return PAWL_E_STATE;
    if (count_service(run))
        return PAWL_E_MEMORY;
    spy.clock_readings++;
    int32_t status = run->real->clock(run->real->context, nanoseconds);
    if (status == PAWL_OK && spy.guise.clock != 0)
        *nanoseconds = spy.guise.clock;
    return status;
}

static int32_t spy_random(void *context, void *buffer, size_t size)
{
    struct spied_run *run = context;
    if (!admit(run, "random"))
        return PAWL_E_STATE;
    if (count_service(run))
        return PAWL_E_MEMORY;
    spy.random_readings++;
    int32_t status = run->real->random(run->real->context, buffer, size);
    if (status == PAWL_OK && spy.guise.random_is_fixed)
        memset(buffer, spy.guise.seed, size);
    return status;
}

static int32_t spy_fact(void *context, const char *name, const char *json, size_t size)
{
    struct spied_run *run = context;
    /* A fact may be known only when all is over: what a worker's exit was, or its peak memory. */
    int ended = run->ended;
    run->ended = 0;
    int admitted = admit(run, "fact");
    run->ended = ended;
    return admitted ? run->real->fact(run->real->context, name, json, size) : PAWL_E_STATE;
}

/* Whether the end may be said now. */
static int admit_end(struct spied_run *run, const char *service)
{
    if (!run->returned && run->ended) {
        spy.findings.second_end++;
        spy.findings.service = service;
        return 0;
    }
    return admit(run, service);
}

static int32_t spy_value(void *context, const char *json, size_t size)
{
    struct spied_run *run = context;
    if (!admit_end(run, "value"))
        return PAWL_E_STATE;
    if (run->told) {
        spy.findings.ran_on++;
        spy.findings.service = "value";
    }
    int32_t status = run->real->value(run->real->context, json, size);
    run->ended = status == PAWL_OK;
    return told(run, status);
}

static int32_t spy_fail(void *context, const struct pawl_failure *failure)
{
    struct spied_run *run = context;
    if (!admit_end(run, "fail"))
        return PAWL_E_STATE;
    int32_t status = run->real->fail(run->real->context, failure);
    run->ended = status == PAWL_OK;
    return told(run, status);
}

static void dress(struct spied_run *run, const struct pawl_run *real)
{
    struct pawl_run *view = &run->seen.view;
    *view = *real;
    view->context = run;
    view->call = spy_call;
    view->next = spy_next;
    view->settled_fd = spy_settled_fd;
    view->log = spy_log;
    view->discover = spy_discover;
    view->cancelled = spy_cancelled;
    view->clock = spy_clock;
    view->random = spy_random;
    view->fact = spy_fact;
    view->value = spy_value;
    view->fail = spy_fail;
    view->flags |= PAWL_RUN_RECORD; /* the clock and the random bytes are the spy's */
    if (spy.guise.newer) {
        memset(&run->seen.later, 0xa5, sizeof(run->seen.later));
        view->header.size = sizeof(run->seen);
        view->header.minor = PAWL_ABI_MINOR + 100;
    }
}

static int32_t spy_run(void *instance, const struct pawl_run *real, const struct pawl_sink *why)
{
    struct spied_run *run = calloc(1, sizeof(*run));
    if (run == NULL)
        return PAWL_E_MEMORY;
    dress(run, real);
    run->real = real;
    run->thread = pthread_self();
    spy.findings.runs++;
    int32_t status = spy.plugin->provider.run(instance, &run->seen.view, why);
    if (status == PAWL_OK && !run->ended && real->cancelled(real->context) == PAWL_END_NONE)
        spy.findings.no_end++;
    if (status > 0 || status < PAWL_E_ALREADY_TAKEN)
        spy.findings.no_status++;
    run->returned = 1;
    remember(run);
    return status;
}

/* --- The instance -------------------------------------------------------------------------- */

/* Answers with another engine, whatever it is called. */
static int32_t find_other_engine(void *context, const char *name, const struct pawl_sink *path)
{
    (void)context, (void)name;
    path->write(path->context, spy.guise.engine, strlen(spy.guise.engine));
    return PAWL_OK;
}

static int32_t spy_create(const struct pawl_host *host, const char *config,
                          const struct pawl_sink *why, void **instance)
{
    struct {
        struct pawl_host view;
        struct later later;
    } seen = {.view = *host};
    if (spy.guise.newer) {
        memset(&seen.later, 0xa5, sizeof(seen.later));
        seen.view.header.size = sizeof(seen);
        seen.view.header.minor = PAWL_ABI_MINOR + 100;
    }
    if (spy.guise.engine != NULL)
        seen.view.find_provider = find_other_engine;
    int32_t status = spy.plugin->provider.create(&seen.view, config, why, instance);
    if (status == PAWL_OK && spy.first == NULL)
        spy.first = *instance;
    return status;
}

static void spy_destroy(void *instance)
{
    if (spy.first == instance)
        spy.first = NULL;
    spy.plugin->provider.destroy(instance);
}

const struct pawl_provider *spy_on(const struct plugin *plugin)
{
    spy.plugin = plugin;
    spy.descriptor = plugin->provider;
    spy.descriptor.header = (struct pawl_header)PAWL_HEADER(PROVIDER, spy.descriptor);
    spy.descriptor.create = spy_create;
    spy.descriptor.destroy = spy_destroy;
    spy.descriptor.run = spy_run;
    return &spy.descriptor;
}
