/*
 * run.c - what pawl costs, each number beside one of the same run that says what it could cost:
 *
 *     an empty program, by every provider that opens here
 *         beside making and freeing a bare libmujs state with malloc (levels `none` and `process`),
 *         or beside starting and reaping /bin/true (providers that start a child)
 *     calls of bindings, by a provider that does nothing else
 *         beside handing a word to another thread and back
 *
 * Medians of several rounds, in microseconds. Machines differ and so do days: only the ratios of
 * one run say anything.
 */
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include <pawl/pawl.h>

#ifdef BENCH_MUJS
#include <mujs.h>
#endif

#include "tests/unit/scripted.h"

#define ROUNDS 9

extern char **environ;

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void die(const char *what, const pawl_error *error)
{
    fprintf(stderr, "bench: %s: %s\n", what, error != NULL ? pawl_error_message(error) : "failed");
    exit(1);
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The median time of `work`, which is done `count` times in each round. */
static double measure(void (*work)(void *context), void *context, unsigned count)
{
    double times[ROUNDS];
    work(context); /* what is made only once */
    for (int round = 0; round < ROUNDS; round++) {
        double start = microseconds();
        for (unsigned i = 0; i < count; i++)
            work(context);
        times[round] = (microseconds() - start) / count;
    }
    qsort(times, ROUNDS, sizeof(times[0]), compare);
    return times[ROUNDS / 2];
}

static void show(const char *what, double time, double base, const char *base_name)
{
    if (base > 0)
        printf("%-44s %9.2f us %7.2f x %s\n", what, time, time / base, base_name);
    else
        printf("%-44s %9.2f us\n", what, time);
    fflush(stdout);
}

/* --- What there is to compare with ------------------------------------------------------------ */

#ifdef BENCH_MUJS
static void bare_state(void *context)
{
    (void)context;
    js_freestate(js_newstate(NULL, NULL, 0));
}
#endif

static void spawn_true(void *context)
{
    (void)context;
    char *const arguments[] = {"/bin/true", NULL};
    pid_t child;
    int status;
    if (posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ) != 0 ||
        waitpid(child, &status, 0) != child)
        die("/bin/true", NULL);
}

static sem_t there, back;

static void *echo_thread(void *context)
{
    (void)context;
    for (;;) {
        sem_wait(&there);
        sem_post(&back);
    }
    return NULL;
}

static void hand_over(void *context)
{
    (void)context;
    sem_post(&there);
    sem_wait(&back);
}

/* --- Programs ----------------------------------------------------------------------------------
 */

struct job {
    pawl_registry *registry;
    pawl_request *request;
};

static void execute(void *context)
{
    const struct job *job = context;
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    if (pawl_execute(job->registry, job->request, &result, &error) != PAWL_OK)
        die("run", error);
    if (!pawl_result_ok(result)) {
        fprintf(stderr, "bench: %s\n", pawl_result_describe(result, NULL));
        exit(1);
    }
    pawl_result_free(result);
}

static pawl_request *new_request(const char *provider, uint32_t level, const char *language)
{
    pawl_request *request = NULL;
    pawl_error *error = NULL;
    struct pawl_budget budget = pawl_budget_empty();
    budget.wall_clock = 30000;
    if (pawl_request_new(&request, &error) != PAWL_OK ||
        pawl_request_set_program(request, "", 0, &error) != PAWL_OK ||
        pawl_request_set_provider(request, provider, &error) != PAWL_OK ||
        pawl_request_set_level(request, level, &error) != PAWL_OK ||
        pawl_request_set_language(request, language, &error) != PAWL_OK)
        die("request", error);
    pawl_request_add_budget(request, &budget);
    return request;
}

/* An empty program by each provider. One that cannot run it here says so and is left out. */
static void measure_providers(pawl_registry *registry, double state, double child)
{
    pawl_listing *listing = NULL;
    if (pawl_registry_list(registry, &listing, NULL) != PAWL_OK)
        die("listing", NULL);
    for (size_t i = 0; i < pawl_listing_size(listing); i++) {
        const struct pawl_listed *listed = pawl_listing_at(listing, i);
        if (listed->what != PAWL_LISTED_PROVIDER || listed->plugin == NULL)
            continue;
        struct job job = {registry, new_request(listed->id, listed->level, listed->languages[0])};
        int in_child = strchr(listed->id, '-') != NULL; /* ISOLATOR-ENGINE */
        char what[128];
        snprintf(what, sizeof(what), "empty program, %s", listed->id);
        double time = measure(execute, &job, in_child ? 20 : 1000);
        show(what, time, in_child ? child : state, in_child ? "/bin/true" : "a bare libmujs state");
        pawl_request_free(job.request);
    }
    pawl_listing_free(listing);
}

/* --- Calls -------------------------------------------------------------------------------------
 */

#define CALLS 1000

static uint32_t called;    /* which function the program calls */
static unsigned at_a_time; /* how many calls it begins before it takes them */

static int32_t call_often(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    for (unsigned i = 0; i < CALLS / at_a_time; i++) {
        uint64_t id;
        struct pawl_settlement settled = {.header = PAWL_HEADER(SETTLEMENT, settled)};
        for (unsigned j = 0; j < at_a_time; j++)
            if (run->call(run->context, called, "[\"web-1\",3]", 11, &id) != PAWL_OK)
                return PAWL_E_STATE;
        for (unsigned j = 0; j < at_a_time; j++)
            if (run->next(run->context, -1, &settled) != PAWL_OK)
                return PAWL_E_STATE;
    }
    return run->value(run->context, "1", 1);
}

static void answer(pawl_call *call, void *data)
{
    (void)data;
    pawl_call_return(call, "{\"ok\":true}", 11);
}

static void measure_calls(pawl_registry *registry, double hand)
{
    static const struct {
        const char *what;
        uint32_t function;
        unsigned at_a_time;
    } cases[] = {
        {"a call", 0, 1},
        {"a concurrent call", 1, 1},
        {"a call, 10 concurrent ones at a time", 1, 10},
        {"a constant", 2, 1},
    };
    struct pawl_function_options options = {.size = sizeof(options),
                                            .signature = "f(host, count?)"};
    struct job job = {registry, new_request("scripted", PAWL_LEVEL_PROCESS, "javascript")};
    pawl_error *error = NULL;
    if (pawl_request_add_function(job.request, "tools", "f", &options, answer, NULL, &error) !=
        PAWL_OK)
        die("function", error);
    options.signature = "g(host, count?)";
    options.concurrent = 1;
    if (pawl_request_add_function(job.request, "tools", "g", &options, answer, NULL, &error) !=
            PAWL_OK ||
        pawl_request_add_value(job.request, "tools", "h", NULL, "{\"ok\":true}", &error) != PAWL_OK)
        die("function", error);
    scripted_program = call_often;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        called = cases[i].function;
        at_a_time = cases[i].at_a_time;
        show(cases[i].what, measure(execute, &job, 1) / CALLS, hand, "to a thread and back");
    }
    pawl_request_free(job.request);
}

static int32_t nothing(const struct pawl_run *run, const struct pawl_sink *why)
{
    (void)why;
    return run->value(run->context, NULL, 0);
}

int main(void)
{
    pawl_registry *registry;
    pawl_error *error = NULL;
    pthread_t thread;
    if (pawl_registry_new(&registry, &error) != PAWL_OK ||
        pawl_registry_scan(registry, pawl_plugin_directory(), &error) != PAWL_OK ||
        pawl_registry_open_defaults(registry, &error) != PAWL_OK ||
        pawl_registry_add(registry, &scripted_provider, "scripted", NULL, &error) != PAWL_OK)
        die("registry", error);

    double state = 0;
#ifdef BENCH_MUJS
    state = measure(bare_state, NULL, 1000);
    show("a bare libmujs state", state, 0, "");
#endif
    double child = measure(spawn_true, NULL, 20);
    show("/bin/true", child, 0, "");
    measure_providers(registry, state, child);

    sem_init(&there, 0, 0);
    sem_init(&back, 0, 0);
    pthread_create(&thread, NULL, echo_thread, NULL);
    double hand = measure(hand_over, NULL, 1000);
    show("to a thread and back", hand, 0, "");
    struct job job = {registry, new_request("scripted", PAWL_LEVEL_PROCESS, "javascript")};
    scripted_program = nothing;
    show("a run around nothing", measure(execute, &job, 1000), hand, "to a thread and back");
    pawl_request_free(job.request);
    measure_calls(registry, hand);
    pawl_registry_free(registry);
    return 0;
}
