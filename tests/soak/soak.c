/*
 * soak [RUNS [SEED]] - many runs of every kind on every provider, on four threads at once, while
 * children are killed and runs are cancelled. Each must come to one result of a kind that it may
 * come to; nothing may grow, and nothing be left. Prints TAP.
 *
 * What run N does is decided by the seed alone; what happens to it meanwhile is not.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pawl/pawl.h>

#include "tests/soak/dice.h"
#include "tests/soak/inventory.h"
#include "tests/soak/scenarios.h"
#include "tests/soak/trouble.h"

#define THREADS   4
#define PATIENCE  600u /* seconds, for everything */
#define COMPLAINS 20u  /* of so many runs is told what was wrong */

/* How much may be held more after the last run than after the first tenth of them: an engine keeps
 * some megabytes for each thread that ran a large program, and few of them have by then. */
#define MORE_MEMORY (UINT64_C(16) << 20)
#define MORE_FILES  32 /* children that are kept ready have some */

struct backend {
    const char *id, *plugin, *config;
    int modern;   /* it runs `javascript` */
    int isolates; /* it has children */
    unsigned weight;
    int opened;
    atomic_uint runs;
};

static struct backend backends[] = {
    {.id = "mujs", .plugin = "mujs", .config = "{}", .weight = 360},
    {.id = "quickjs", .plugin = "quickjs", .config = "{}", .modern = 1, .weight = 360},
    {.id = "subprocess-mujs",
     .plugin = "subprocess",
     .config = "{\"engine\":\"mujs\"}",
     .isolates = 1,
     .weight = 60},
    {.id = "subprocess-mujs-warm",
     .plugin = "subprocess",
     .config = "{\"engine\":\"mujs\",\"warm\":3}",
     .isolates = 1,
     .weight = 60},
    {.id = "subprocess-quickjs",
     .plugin = "subprocess",
     .config = "{\"engine\":\"quickjs\"}",
     .modern = 1,
     .isolates = 1,
     .weight = 40},
    {.id = "confine-mujs",
     .plugin = "confine",
     .config = "{\"engine\":\"mujs\"}",
     .isolates = 1,
     .weight = 40},
    {.id = "confine-quickjs-warm",
     .plugin = "confine",
     .config = "{\"engine\":\"quickjs\",\"warm\":3}",
     .modern = 1,
     .isolates = 1,
     .weight = 40},
};
#define BACKENDS (sizeof(backends) / sizeof(backends[0]))

static struct {
    uint64_t seed;
    uint64_t end; /* runs up to this one, without it, are made now */
    atomic_ullong next;
    pawl_registry *registry;
    pawl_ring *ring;
    unsigned weight; /* of the backends that were opened */
    /* What came of them. */
    atomic_ullong results;
    atomic_ullong refused; /* before they began, because a child died that tried it */
    atomic_ullong wrong;
    atomic_ullong lost;             /* ended because a child died */
    atomic_ullong reached, certain; /* calls that may have reached a function, and that have */
    atomic_ullong kinds[64][2];     /* of each scenario: ok, failed */
} soak;

static struct functions functions[THREADS];

static unsigned tap_count;
static int tap_failed;

static void tap(int right, const char *name)
{
    printf("%s %u - %s\n", right ? "ok" : "not ok", ++tap_count, name);
    fflush(stdout);
    tap_failed |= !right;
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    char line[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    printf("# %s\n", line);
    fflush(stdout);
}

static _Noreturn void die(const char *what, pawl_error *error)
{
    printf("Bail out! %s: %s\n", what, error != NULL ? pawl_error_message(error) : "");
    exit(1);
}

/* Whether this process is watched by a sanitizer or valgrind: it is slow then. */
static int is_instrumented(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 1;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 1;
#endif
#endif
    return getenv("VALGRIND") != NULL;
}

/* --- One run ------------------------------------------------------------------------------- */

struct run {
    uint64_t number;
    struct backend *backend;
    const struct scenario *scenario;
};

static void complain(const struct run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void complain(const struct run *run, const char *format, ...)
{
    char words[1000];
    if (soak.wrong++ >= COMPLAINS)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    say("run %llu, \"%s\" on %s: %s", (unsigned long long)run->number, run->scenario->name,
        run->backend->id, words);
}

static int is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return 1;
    return 0;
}

/* Whether a call may have reached a function; *certain: it has. */
static int has_reached(const struct pawl_call_record *call, int *certain)
{
    static const char never[] = "the run ended before the call began";
    *certain = !call->abandoned;
    return call->status != PAWL_SETTLED_DENIED && call->status != PAWL_SETTLED_FAILED &&
           strcmp(call->name, "tools.large") != 0 &&
           (call->error == NULL || strcmp(call->error, never) != 0);
}

static void count_calls(const pawl_result *result)
{
    int certain;
    for (size_t i = 0; i < pawl_result_calls(result); i++)
        if (has_reached(pawl_result_call(result, i), &certain)) {
            soak.reached++;
            soak.certain += (unsigned)certain;
        }
}

static void check(const struct run *run, pawl_result *result)
{
    const struct scenario *scenario = run->scenario;
    const char *kind = pawl_result_ok(result) ? "ok" : pawl_result_kind(result);
    const char *message = pawl_result_message(result, NULL);
    soak.results++;
    soak.kinds[scenario - scenarios][!pawl_result_ok(result)]++;
    count_calls(result);
    if (run->backend->isolates &&
        (strcmp(kind, "worker_exit") == 0 || strcmp(kind, "sandbox_unavailable") == 0))
        soak.lost++;
    else if (!is_listed(scenario->kinds, kind))
        complain(run, "it came to %s (%s), not to %s", kind, message != NULL ? message : "a value",
                 scenario->kinds);
    else if (pawl_result_ok(result) && scenario->value != NULL &&
             strcmp(pawl_result_value(result, NULL), scenario->value) != 0)
        complain(run, "it returned %.200s", pawl_result_value(result, NULL));
    if (pawl_result_level(result) == PAWL_LEVEL_NONE ||
        strcmp(pawl_result_provider(result), run->backend->id) != 0)
        complain(run, "it was run by %s", pawl_result_provider(result));
    if (run->number % 16 == 0 &&
        (pawl_result_json(result, NULL) == NULL || pawl_result_describe(result, NULL) == NULL))
        complain(run, "its result cannot be told");
}

/* The ways in which a host waits for a run. */
static int execute(const struct run *run, const pawl_request *request, pawl_result **result,
                   pawl_error **error)
{
    (void)run;
    return pawl_execute(soak.registry, request, result, error);
}

static int start_and_wait(const struct run *run, const pawl_request *request, struct handle *handle,
                          pawl_result **result, pawl_error **error)
{
    pawl_execution *execution;
    int status = pawl_start(soak.registry, request, &execution, error);
    if (status != PAWL_OK)
        return status;
    pthread_mutex_lock(&handle->lock);
    handle->execution = execution;
    pthread_mutex_unlock(&handle->lock);
    struct pollfd over = {.fd = pawl_execution_fd(execution), .events = POLLIN};
    while (poll(&over, 1, -1) < 0 && errno == EINTR)
        ;
    status = pawl_wait(execution, 0, result, error);
    pawl_result *second = NULL;
    if (status == PAWL_OK && (pawl_wait(execution, 0, &second, NULL) == PAWL_OK || second != NULL))
        complain(run, "it has a second result");
    pthread_mutex_lock(&handle->lock);
    handle->execution = NULL;
    handle->run = 0;
    pthread_mutex_unlock(&handle->lock);
    pawl_execution_free(execution);
    return status;
}

/* A provider that has just been asked what it supports tries that with a child. */
static int is_refused_for_a_kill(const struct run *run, const pawl_error *error)
{
    const char *why;
    for (size_t i = 0; run->backend->isolates && i < pawl_error_refusals(error); i++) {
        pawl_error_refusal(error, i, NULL, NULL, &why);
        if (strstr(why, "SIGKILL") != NULL)
            return 1;
    }
    return 0;
}

/* Makes the handle this run's. */
static void take_handle(struct handle *handle, uint64_t number, pawl_cancel *cancel)
{
    pthread_mutex_lock(&handle->lock);
    handle->run = number;
    handle->cancel = cancel;
    pthread_mutex_unlock(&handle->lock);
}

static void make_run(const struct run *run, struct functions *own, struct dice *dice)
{
    pawl_error *error = NULL;
    pawl_result *result = NULL;
    pawl_cancel *cancel;
    pawl_request *request =
        scenario_request(run->scenario, run->backend->id, soak.ring, own, &error);
    if (request == NULL || pawl_cancel_new(&cancel, &error) != PAWL_OK)
        die("a request", error);
    pawl_request_set_cancel(request, cancel);
    take_handle(&own->handle, run->number + 1, cancel);
    if (run->scenario->flags & CANCELLED)
        trouble_cancel(&own->handle, run->number + 1);
    if (run->backend->isolates && dice_below(dice, 12) == 0)
        trouble_kill();
    int status = dice_below(dice, 4) == 0
                     ? start_and_wait(run, request, &own->handle, &result, &error)
                     : execute(run, request, &result, &error);
    take_handle(&own->handle, 0, NULL);
    run->backend->runs++;
    if (status == PAWL_OK)
        check(run, result);
    else if (is_refused_for_a_kill(run, error))
        soak.refused++;
    else
        complain(run, "it has no result: %s", pawl_error_message(error));
    pawl_error_free(error);
    pawl_result_free(result);
    pawl_request_free(request);
    pawl_cancel_free(cancel);
}

/* --- Many ---------------------------------------------------------------------------------- */

static struct backend *choose_backend(struct dice *dice)
{
    unsigned place = dice_below(dice, soak.weight);
    struct backend *backend = backends;
    for (; !backend->opened || place >= backend->weight; backend++)
        place -= backend->opened ? backend->weight : 0;
    return backend;
}

static const struct scenario *choose_scenario(struct dice *dice, int modern)
{
    unsigned weight = 0;
    for (size_t i = 0; i < scenario_count; i++)
        weight += scenarios[i].weight;
    for (;;) {
        unsigned place = dice_below(dice, weight);
        const struct scenario *scenario = scenarios;
        for (; place >= scenario->weight; scenario++)
            place -= scenario->weight;
        if (modern || (scenario->flags & MODERN) == 0)
            return scenario;
    }
}

static void *make_runs(void *data)
{
    struct functions *own = data;
    uint64_t number;
    while ((number = soak.next++) < soak.end) {
        struct dice dice = dice_of(soak.seed, number);
        struct run run = {.number = number, .backend = choose_backend(&dice)};
        run.scenario = choose_scenario(&dice, run.backend->modern);
        make_run(&run, own, &dice);
    }
    return NULL;
}

static void make_runs_until(uint64_t end)
{
    pthread_t threads[THREADS];
    soak.next = soak.end;
    soak.end = end;
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, make_runs, &functions[i]) != 0)
            die("a thread", NULL);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void open_backends(void)
{
    pawl_error *error = NULL;
    if (pawl_registry_new(&soak.registry, &error) != PAWL_OK ||
        pawl_registry_scan(soak.registry, pawl_plugin_directory(), &error) != PAWL_OK ||
        pawl_ring_new(&soak.ring, &error) != PAWL_OK ||
        pawl_ring_add(soak.ring, &scenario_stage, NULL, &error) != PAWL_OK)
        die("the registry", error);
    for (size_t i = 0; i < BACKENDS; i++) {
        struct backend *backend = &backends[i];
        backend->opened = pawl_registry_open(soak.registry, backend->plugin, backend->id,
                                             backend->config, &error) == PAWL_OK;
        if (backend->opened)
            soak.weight += backend->weight;
        else
            say("without %s: %s", backend->id, pawl_error_message(error));
        pawl_error_free(error);
        error = NULL;
    }
}

/* --- What is to be found afterwards -------------------------------------------------------- */

static void check_growth(const struct inventory *before, const struct inventory *after)
{
    say("memory %zu KiB, then %zu KiB; files %zu, %zu; threads %zu, %zu", before->resident >> 10,
        after->resident >> 10, before->files, after->files, before->threads, after->threads);
    if (is_instrumented())
        printf("ok %u - memory does not grow # SKIP what was freed is kept here\n", ++tap_count);
    else
        tap(after->resident < before->resident + MORE_MEMORY, "memory does not grow");
    tap(after->files <= before->files + MORE_FILES, "the number of files does not grow");
    tap(after->threads <= before->threads + THREADS, "the number of threads does not grow");
}

static void check_left(const struct inventory *before)
{
    int status;
    struct inventory after;
    /* Whatever was started by what was started is this process's child now. */
    tap(waitpid(-1, &status, WNOHANG) < 0 && errno == ECHILD, "no process is left");
    inventory_take(&after);
    if (after.files != before->files || after.threads != before->threads)
        say("files %zu, at first %zu; threads %zu, at first %zu", after.files, before->files,
            after.threads, before->threads);
    tap(after.files == before->files, "no file is left open");
    tap(after.threads == before->threads, "no thread is left");
    tap(after.cgroups == before->cgroups, "no cgroup is left");
}

static void report(unsigned long entered)
{
    for (size_t i = 0; i < BACKENDS; i++)
        if (backends[i].opened)
            say("%7u runs on %s", backends[i].runs, backends[i].id);
    for (size_t i = 0; i < scenario_count; i++)
        say("%7llu ok, %7llu failed: %s", (unsigned long long)soak.kinds[i][0],
            (unsigned long long)soak.kinds[i][1], scenarios[i].name);
    say("%lu calls reached a function; results tell of %llu to %llu", entered,
        (unsigned long long)soak.certain, (unsigned long long)soak.reached);
    say("%u children were killed; %llu runs ended by that, %llu did not begin", trouble_kills(),
        (unsigned long long)soak.lost, (unsigned long long)soak.refused);
}

static void too_late(int signal)
{
    static const char words[] = "Bail out! it does not come to an end\n";
    (void)signal;
    (void)!write(STDOUT_FILENO, words, sizeof(words) - 1);
    _exit(1);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : is_instrumented() ? 300 : 2000;
    struct inventory first, warm, last;
    unsigned long entered = 0;
    if (argc > 2)
        soak.seed = strtoull(argv[2], NULL, 10);
    else if (getrandom(&soak.seed, sizeof(soak.seed), 0) < 0)
        die("chance", NULL);
    signal(SIGALRM, too_late);
    signal(SIGPIPE, SIG_IGN);
    alarm(PATIENCE);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    say("%llu runs, seed %llu", (unsigned long long)runs, (unsigned long long)soak.seed);
    for (size_t i = 0; i < THREADS; i++)
        pthread_mutex_init(&functions[i].handle.lock, NULL);

    inventory_take(&first);
    open_backends();
    if (soak.weight == 0) {
        printf("1..0 # SKIP there is no provider\n");
        return 0;
    }
    trouble_start(soak.seed);
    make_runs_until(runs / 10);
    inventory_take(&warm);
    make_runs_until(runs);
    inventory_take(&last);
    trouble_stop();
    pawl_registry_free(soak.registry); /* waits for functions that outlived their runs */
    pawl_ring_free(soak.ring);

    for (size_t i = 0; i < THREADS; i++)
        entered += functions[i].entered;
    report(entered);
    tap(soak.results + soak.refused == runs, "every run has a result");
    tap(soak.wrong == 0, "every result is one that the run may come to");
    tap(soak.lost + soak.refused <= trouble_kills(), "no child died that was not killed");
    tap(entered >= soak.certain && entered <= soak.reached,
        "every call that a result tells of was made once");
    check_growth(&warm, &last);
    check_left(&first);
    printf("1..%u\n", tap_count);
    return tap_failed;
}
