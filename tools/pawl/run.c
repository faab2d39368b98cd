/* pawl run: runs a program. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/pawl/commands.h"
#include "tools/pawl/recordfile.h"
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
    const char *record, *replay, *resume;
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
    {"record", "FILE", "write down all that the program is told; see pawl-record(5)", take_string,
     offsetof(struct run_settings, record)},
    {"replay", "FILE", "tell the program what was recorded, and call nothing", take_string,
     offsetof(struct run_settings, replay)},
    {"resume", "FILE", "go on with a recorded run that was suspended", take_string,
     offsetof(struct run_settings, resume)},
    {0},
};

static const struct synopsis synopsis = {
    .command = "run",
    .positionals = "[PROGRAM]",
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

static bool has_stage(const struct stages *stages, const char *stage)
{
    for (size_t i = 0; i < stages->count; i++)
        if (strcmp(stages->items[i], stage) == 0)
            return true;
    return false;
}

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
                   const char *name, const struct text *program, struct recordfile *record)
{
    pawl_result *result = NULL;
    pawl_error *error = NULL;
    int code = pawl_execute(setup->registry, request, &result, &error);
    size_t logged = live_end(live);
    if (code == PAWL_E_RECORD && record->error != 0) {
        pawl_error_free(error);
        return report_usage(json, "%s: %s; the run was ended", record->path,
                            strerror(record->error));
    }
    if (code != PAWL_OK)
        return report_error(json, error);
    int status = print_result(result, json, name, program, logged);
    if (!json && !pawl_result_ok(result) && strcmp(pawl_result_kind(result), "suspended") == 0)
        terminal_format(stderr, STYLE_HINT,
                        "  hint: pawl run --resume %s goes on once it is decided\n", record->path);
    pawl_result_free(result);
    return status;
}

/* Makes the request: of a program, or of what a record says of one. */
static int make_request(const struct setup *setup, const struct run_settings *settings,
                        const struct text *program, const struct recordfile *record,
                        pawl_request **request)
{
    if (record->record == NULL)
        return setup_request(setup, &settings->demand, program->data, program->size, request);
    bool functions = settings->resume == NULL && settings->tools == NULL;
    int status =
        setup_recorded_request(setup, &settings->demand, record->record, functions, request);
    pawl_error *error = NULL;
    if (status == EXIT_OK &&
        pawl_request_set_program(*request, program->data, program->size, &error) != PAWL_OK)
        status = report_error(settings->demand.common.json, error);
    return status;
}

/* Has the run recorded, replayed or resumed, as it was asked for. */
static bool use_record(const struct run_settings *settings, struct recordfile *record,
                       pawl_request *request)
{
    if (settings->record != NULL)
        return recordfile_create(record, settings->record, request, settings->tools,
                                 settings->stages.items, settings->stages.count);
    if (settings->resume != NULL)
        return recordfile_continue(record, request);
    if (settings->replay != NULL)
        pawl_request_set_replay(request, record->record);
    return true;
}

static int run(const struct run_settings *settings, const char *name, const struct text *program,
               struct recordfile *record)
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
        status = make_request(&setup, settings, program, record, &request);
    if (status == EXIT_OK)
        status = add_tools(&tools, settings->tools, request, json);
    if (status == EXIT_OK && !use_record(settings, record, request))
        status = report_usage(json, "%s", record->why);
    pawl_error *error = NULL;
    if (status == EXIT_OK && pawl_cancel_new(&cancel, &error) != PAWL_OK)
        status = report_error(json, error);
    if (status == EXIT_OK) {
        pawl_request_set_cancel(request, cancel);
        pawl_request_set_events(request, live_event, live);
        catch_signals(cancel);
        status = execute(&setup, request, live, json, name, program, record);
    }
    /* The registry waits for host functions, which use everything else. */
    setup_close(&setup);
    pawl_request_free(request);
    toolsfile_clear(&tools);
    live_free(live);
    /* `cancel` stays: a signal may still come. */
    return status;
}

/* What is wrong with these options together; NULL: nothing. */
static const char *find_contradiction(const struct run_settings *settings, const char *path)
{
    int records =
        (settings->record != NULL) + (settings->replay != NULL) + (settings->resume != NULL);
    if (records > 1)
        return "--record, --replay and --resume exclude each other";
    if (path == NULL && settings->replay == NULL && settings->resume == NULL)
        return "run: PROGRAM is missing; see pawl run --help";
    if (path != NULL && settings->resume != NULL)
        return "--resume goes on with the program in the record: leave PROGRAM out";
    return NULL;
}

/* Reads a record, and takes from it what the command line does not say. */
static bool read_record(struct run_settings *settings, struct recordfile *record, const char *path,
                        struct text *program)
{
    const char *file = settings->resume != NULL ? settings->resume : settings->replay;
    if (file == NULL)
        return true;
    if (!recordfile_read(record, file, settings->resume != NULL))
        return false;
    if (path == NULL) {
        const char *text = pawl_record_program(record->record, &program->size);
        program->data = malloc(program->size + 1);
        if (program->data == NULL) {
            snprintf(record->why, sizeof(record->why), "out of memory");
            return false;
        }
        memcpy(program->data, text, program->size);
    }
    if (settings->resume == NULL)
        return true;
    if (settings->tools == NULL)
        settings->tools = record->tools;
    for (size_t i = 0; settings->stages.count < STAGES_MAX && i < record->stage_count; i++)
        if (!has_stage(&settings->stages, record->stages[i]))
            settings->stages.items[settings->stages.count++] = record->stages[i];
    return true;
}

int command_run(int argc, char **argv)
{
    struct run_settings settings = {0};
    const char *path = NULL;
    int status = options_read(&synopsis, argc, argv, &settings, &path, 0, 1);
    if (status != OPTIONS_GOOD)
        return status;
    bool json = settings.demand.common.json;
    const char *wrong = find_contradiction(&settings, path);
    if (wrong != NULL)
        return report_usage(json, "%s", wrong);
    __attribute__((cleanup(text_clear))) struct text program = {0};
    __attribute__((cleanup(recordfile_clear))) struct recordfile record = RECORDFILE_NONE;
    int error = path != NULL ? read_program(path, &program) : 0;
    if (error != 0)
        return report_usage(json, "%s: %s", path, strerror(error));
    if (!read_record(&settings, &record, path, &program))
        return report_usage(json, "%s", record.why);
    if (path == NULL)
        path = record.path;
    return run(&settings, strcmp(path, "-") == 0 ? "stdin" : path, &program, &record);
}
