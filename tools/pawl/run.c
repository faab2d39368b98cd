/* pawl run: runs a program. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/pawl/commands.h"
#include "tools/pawl/render.h"
#include "tools/pawl/report.h"
#include "tools/pawl/setup.h"
#include "tools/pawl/terminal.h"
#include "tools/pawl/toolsfile.h"

#define STAGES_MAX 32

struct stages {
    const char *items[STAGES_MAX]; /* NAME or NAME=JSON */
    size_t count;
};

struct run_settings {
    struct demand_settings demand; /* first, as its options are read into it */
    const char *tools;
    struct stages stages;
};

static char *take_stage(const char *argument, void *target)
{
    struct stages *stages = target;
    if (stages->count == STAGES_MAX)
        return strdup("too many stages");
    if (*argument == '\0' || *argument == '=')
        return strdup("expected NAME or NAME=JSON");
    stages->items[stages->count++] = argument;
    return NULL;
}

static const struct option run_options[] = {
    {"tools", "FILE", "the functions that the program can call; see pawl-tools(5)", take_string,
     offsetof(struct run_settings, tools)},
    {"stage", "NAME[=JSON]", "add a stage that judges calls; may be given again", take_stage,
     offsetof(struct run_settings, stages)},
    {0},
};

static const struct synopsis synopsis = {
    .command = "run",
    .positionals = "PROGRAM",
    .summary =
        "Runs a program from a file, or from stdin when PROGRAM is -. Its value goes to stdout,\n"
        "its logs and the diagnosis of a failure to stderr.",
    .options = (const struct option *const[]){demand_options, run_options, common_options, NULL},
    .more = (const char *const[]){"Exit status: 0 it succeeded, 1 it failed, 2 wrong usage, "
                                  "configuration or request,",
                                  "3 refused before anything ran.", NULL},
};

/* --- The program -------------------------------------------------------------------------- */

struct text {
    char *data;
    size_t size;
};

static void text_clear(struct text *text)
{
    free(text->data);
}

/* Reads the whole program, one byte more than is allowed at most: the library says so then. */
static int read_all(int fd, struct text *text)
{
    size_t capacity = 0;
    for (;;) {
        if (text->size == capacity) {
            capacity = capacity == 0 ? 65536 : capacity * 2;
            char *grown = realloc(text->data, capacity);
            if (grown == NULL)
                return ENOMEM;
            text->data = grown;
        }
        size_t room = capacity - text->size;
        ssize_t got = read(fd, text->data + text->size, room);
        if (got < 0 && errno != EINTR)
            return errno;
        if (got == 0 || text->size > PAWL_PROGRAM_MAX)
            return 0;
        text->size += got > 0 ? (size_t)got : 0;
    }
}

static int read_program(const char *path, struct text *text)
{
    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, text);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = read_all(fd, text);
    close(fd);
    return error;
}

/* --- Interruption ------------------------------------------------------------------------- */

/* What a signal cancels. Signal handlers have no other way to know it. */
static pawl_cancel *interrupted;

static void interrupt(int signal)
{
    (void)signal;
    pawl_cancel_now(interrupted);
}

/* The first Ctrl-C (or request to terminate) ends the run, which then still prints its result; the
 * second ends pawl. */
static void catch_signals(pawl_cancel *cancel)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    interrupted = cancel;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction before;
        /* What nohup or a shell ignores stays ignored. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

/* --- The run ------------------------------------------------------------------------------ */

/* Adds the stages of the command line after those of the configuration. */
static int add_stages(const struct setup *setup, const struct run_settings *settings)
{
    bool json = settings->demand.common.json;
    for (size_t i = 0; i < settings->stages.count; i++) {
        const char *stage = settings->stages.items[i], *config = strchr(stage, '=');
        char *name = config != NULL ? strndup(stage, (size_t)(config - stage)) : strdup(stage);
        pawl_error *error = NULL;
        if (name == NULL)
            return report_usage(json, "out of memory");
        int status = pawl_ring_open(setup->ring, setup->registry, name,
                                    config != NULL ? config + 1 : NULL, &error);
        free(name);
        if (status == PAWL_OK)
            continue;
        status = report_usage(json, "--stage %.64s: %s", stage, pawl_error_message(error));
        pawl_error_free(error);
        return status;
    }
    return EXIT_OK;
}

static int add_tools(struct toolsfile *tools, const char *path, pawl_request *request, bool json)
{
    if (path == NULL || (toolsfile_read(tools, path) && toolsfile_bind(tools, request) == PAWL_OK))
        return EXIT_OK;
    return report_usage(json, "%s", tools->document.error);
}

/* Kinds of failure that mean that nothing was run. */
static int status_of(const pawl_result *result)
{
    if (pawl_result_ok(result))
        return EXIT_OK;
    return strcmp(pawl_result_kind(result), "sandbox_unavailable") == 0 ? EXIT_REFUSED
                                                                        : EXIT_FAILED;
}

static int print_result(pawl_result *result, bool json, const char *name,
                        const struct text *program, size_t logged)
{
    if (!json) {
        render_result(result, name, program->data, program->size, logged);
        return report_flush(status_of(result));
    }
    size_t size;
    const char *text = pawl_result_json(result, &size);
    if (text == NULL)
        return report_usage(false, "out of memory");
    terminal_print(stdout, STYLE_PLAIN, text, size);
    fputc('\n', stdout);
    return report_flush(status_of(result));
}

static int execute(const struct setup *setup, pawl_request *request, struct live *live, bool json,
                   const char *name, const struct text *program)
{
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    int code = pawl_execute(setup->registry, request, &result, &error);
    size_t logged = live_end(live);
    if (code != PAWL_OK)
        return report_error(json, error);
    int status = print_result(result, json, name, program, logged);
    pawl_result_free(result);
    return status;
}

static int run(const struct run_settings *settings, const char *name, const struct text *program)
{
    bool json = settings->demand.common.json;
    struct setup setup = {0};
    struct toolsfile tools = {0};
    pawl_request *request = NULL;
    pawl_cancel *cancel = NULL;
    struct live *live = live_new(!json);
    int status = live != NULL ? setup_open(&setup, &settings->demand.common)
                              : report_usage(json, "out of memory");
    if (status == EXIT_OK)
        status = add_stages(&setup, settings);
    if (status == EXIT_OK)
        status = setup_request(&setup, &settings->demand, program->data, program->size, &request);
    if (status == EXIT_OK)
        status = add_tools(&tools, settings->tools, request, json);
    pawl_error *error = NULL;
    if (status == EXIT_OK && pawl_cancel_new(&cancel, &error) != PAWL_OK)
        status = report_error(json, error);
    if (status == EXIT_OK) {
        pawl_request_set_cancel(request, cancel);
        pawl_request_set_events(request, live_event, live);
        catch_signals(cancel);
        status = execute(&setup, request, live, json, name, program);
    }
    /* The registry waits for host functions, which use everything else. */
    setup_close(&setup);
    pawl_request_free(request);
    toolsfile_clear(&tools);
    live_free(live);
    /* `cancel` stays: a signal may still come. */
    return status;
}

int command_run(int argc, char **argv)
{
    struct run_settings settings = {0};
    const char *path = NULL;
    int status = options_read(&synopsis, argc, argv, &settings, &path, 1, 1);
    if (status != OPTIONS_GOOD)
        return status;
    __attribute__((cleanup(text_clear))) struct text program = {0};
    int error = read_program(path, &program);
    if (error != 0)
        return report_usage(settings.demand.common.json, "%s: %s", path, strerror(error));
    return run(&settings, strcmp(path, "-") == 0 ? "stdin" : path, &program);
}
