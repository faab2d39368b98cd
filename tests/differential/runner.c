/*
 * runner PROVIDER - runs many programs in one process.
 *
 * Reads programs from stdin, each as a line with its size in bytes and then its text, and writes
 * for each one line: its result as JSON.
 */
#include <stdio.h>
#include <stdlib.h>

#include <pawl/pawl.h>

#define PROGRAM_MAX (1u << 20)

static void die(const char *what, const pawl_error *error)
{
    fprintf(stderr, "runner: %s: %s\n", what, error ? pawl_error_message(error) : "failed");
    exit(1);
}

static void run(pawl_registry *registry, const char *provider, const char *program, size_t size)
{
    struct pawl_budget budget = pawl_budget_empty();
    pawl_request *request = NULL;
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    budget.wall_clock = 30000;
    if (pawl_request_new(&request, &error) != PAWL_OK ||
        pawl_request_set_program(request, program, size, &error) != PAWL_OK ||
        pawl_request_set_provider(request, provider, &error) != PAWL_OK ||
        pawl_request_set_level(request, PAWL_LEVEL_PROCESS, &error) != PAWL_OK)
        die("request", error);
    pawl_request_add_budget(request, &budget);
    if (pawl_execute(registry, request, &result, &error) != PAWL_OK)
        die("run", error);
    size_t length;
    const char *json = pawl_result_json(result, &length);
    if (!json)
        die("result", NULL);
    fwrite(json, 1, length, stdout);
    putchar('\n');
    pawl_result_free(result);
    pawl_request_free(request);
}

int main(int argc, char **argv)
{
    static char program[PROGRAM_MAX];
    char line[32];
    pawl_registry *registry;
    pawl_error *error = NULL;
    if (argc != 2) {
        fprintf(stderr, "usage: runner PROVIDER\n");
        return 2;
    }
    if (pawl_registry_new(&registry, &error) != PAWL_OK ||
        pawl_registry_scan(registry, pawl_plugin_directory(), &error) != PAWL_OK ||
        pawl_registry_open(registry, argv[1], argv[1], NULL, &error) != PAWL_OK)
        die("registry", error);
    while (fgets(line, sizeof(line), stdin)) {
        size_t size = strtoul(line, NULL, 10);
        if (size > PROGRAM_MAX || fread(program, 1, size, stdin) != size)
            die("stdin", NULL);
        run(registry, argv[1], program, size);
    }
    pawl_registry_free(registry);
    return 0;
}
