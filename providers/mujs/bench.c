/*
 * bench.c - what it costs to start: an empty program through pawl_execute, compared with making and
 * freeing a bare libmujs state (target: at most 0.7 times as long).
 */
#include <mujs.h>
#include <pawl/pawl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 5
#define RUNS   2000

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check(int status, pawl_error *error)
{
    if (status == PAWL_OK)
        return;
    fprintf(stderr, "bench: %s\n", pawl_error_message(error));
    exit(1);
}

static double bare_states(void)
{
    double start = seconds();

    for (int i = 0; i < RUNS; i++)
        js_freestate(js_newstate(NULL, NULL, 0));
    return (seconds() - start) / RUNS;
}

static double programs(pawl_registry *registry, const pawl_request *request)
{
    double start = seconds();

    for (int i = 0; i < RUNS; i++) {
        pawl_error *error = NULL;
        pawl_result *result = NULL;

        check(pawl_execute(registry, request, &result, &error), error);
        if (!pawl_result_ok(result)) {
            fprintf(stderr, "bench: %s\n", pawl_result_message(result, NULL));
            exit(1);
        }
        pawl_result_free(result);
    }
    return (seconds() - start) / RUNS;
}

int main(void)
{
    struct pawl_budget budget = pawl_budget_empty();
    pawl_registry *registry;
    pawl_request *request;
    pawl_error *error = NULL;

    check(pawl_registry_new(&registry, &error), error);
    check(pawl_registry_add(registry, pawl_provider_entry_v1(), "mujs", NULL, &error), error);
    check(pawl_request_new(&request, &error), error);
    check(pawl_request_set_program(request, "", 0, &error), error);
    check(pawl_request_set_language(request, "javascript-es5", &error), error);
    check(pawl_request_set_level(request, PAWL_LEVEL_PROCESS, &error), error);
    budget.wall_clock = 10000;
    pawl_request_add_budget(request, &budget);

    for (int i = 0; i < ROUNDS; i++) {
        double bare = bare_states(), program = programs(registry, request);

        printf("mujs: empty program %.1f us, bare state %.1f us: %.2f times\n", program * 1e6,
               bare * 1e6, program / bare);
    }
    pawl_request_free(request);
    pawl_registry_free(registry);
    return 0;
}
