/* pawl-harness: whether a plugin is what it claims to be; see pawl-harness(1). */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pawl/pawl.h>

#include "tests/wire/forgery.h"
#include "tools/harness/check.h"
#include "tools/harness/programs.h"
#include "tools/harness/record.h"

enum { EXIT_HELD = 0, EXIT_BROKEN = 1, EXIT_USAGE = 2 };

static const struct requirement *const groups[] = {
    abi_requirements,    value_requirements, call_requirements,   end_requirements,
    run_requirements,    claim_requirements, escape_requirements, hostile_requirements,
    forged_requirements, odd_requirements,   stage_requirements,
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

/* The next requirement after one; NULL begins, and ends. */
static const struct requirement *next_requirement(const struct requirement *after)
{
    size_t group = 0;
    const struct requirement *next = groups[0];
    if (after != NULL) {
        while (group < GROUPS) {
            next = groups[group];
            while (next->id != NULL && next != after)
                next++;
            if (next == after)
                break;
            group++;
        }
        next++;
    }
    while (next->id == NULL && ++group < GROUPS)
        next = groups[group];
    return group < GROUPS ? next : NULL;
}

/* Whether a requirement is one of stages. */
static bool is_of_stages(const struct requirement *requirement)
{
    return requirement->id[0] == 'S';
}

/* --- Options ------------------------------------------------------------------------------- */

struct options {
    struct settings settings;
    const char *plugin;
    const char *programs;
    const char *only; /* "R10,R11" */
    const char *lock;
};

static void print_help(void)
{
    printf("usage: pawl-harness [OPTION]... PLUGIN.so\n\n"
           "Checks whether a plugin, pawl-NAME-provider.so or pawl-NAME-stage.so, is what it "
           "claims to be, and prints TAP.\n\n"
           "  --config JSON     the configuration of the instance (an object)\n"
           "  --language NAME   of its languages, the one that the programs are in\n"
           "  --programs FILE   the programs of the scenarios, as JSON\n"
           "  --only ID[,ID]... only these requirements\n"
           "  --runs N          how many runs R49 makes (2000)\n"
           "  --seconds N       the time limit of every requirement, instead of its own\n"
           "  --lock FILE       write a record of what was found\n"
           "  --list            list the requirements\n"
           "  --print-programs  print the programs in JavaScript\n");
}

static void print_list(void)
{
    for (const struct requirement *r = NULL; (r = next_requirement(r)) != NULL;)
        printf("%s %s\n", r->id, r->title);
}

static int complain(const char *what, const char *about)
{
    fprintf(stderr, "pawl-harness: %s%s; see pawl-harness --help\n", what, about);
    return EXIT_USAGE;
}

#define READ_ON (-1)

static bool read_number(const char *text, unsigned long *number)
{
    char *end;
    errno = 0;
    *number = strtoul(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *text != '-' && *number <= 10000000;
}

static bool is_requirement(const char *id, size_t size)
{
    for (const struct requirement *r = NULL; (r = next_requirement(r)) != NULL;)
        if (strlen(r->id) == size && memcmp(r->id, id, size) == 0)
            return true;
    return false;
}

/* Whether every id of a list is one. */
static bool check_only(const char *only)
{
    size_t size;
    for (const char *id = only;; id += size + 1) {
        size = strcspn(id, ",");
        if (!is_requirement(id, size))
            return false;
        if (id[size] == '\0')
            return true;
    }
}

static int read_options(int argc, char **argv, struct options *options)
{
    enum {
        OPTION_CONFIG,
        OPTION_LANGUAGE,
        OPTION_PROGRAMS,
        OPTION_ONLY,
        OPTION_RUNS,
        OPTION_SECONDS,
        OPTION_LOCK,
        OPTION_LIST,
        OPTION_PRINT_PROGRAMS,
        OPTION_VERSION,
        OPTION_HELP
    };
    static const struct option known[] = {
        {"config", required_argument, NULL, OPTION_CONFIG},
        {"language", required_argument, NULL, OPTION_LANGUAGE},
        {"programs", required_argument, NULL, OPTION_PROGRAMS},
        {"only", required_argument, NULL, OPTION_ONLY},
        {"runs", required_argument, NULL, OPTION_RUNS},
        {"seconds", required_argument, NULL, OPTION_SECONDS},
        {"lock", required_argument, NULL, OPTION_LOCK},
        {"list", no_argument, NULL, OPTION_LIST},
        {"print-programs", no_argument, NULL, OPTION_PRINT_PROGRAMS},
        {"version", no_argument, NULL, OPTION_VERSION},
        {"help", no_argument, NULL, OPTION_HELP},
        {0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case OPTION_CONFIG:
            options->settings.config = optarg;
            break;
        case OPTION_LANGUAGE:
            options->settings.language = optarg;
            break;
        case OPTION_PROGRAMS:
            options->programs = optarg;
            break;
        case OPTION_ONLY:
            if (!check_only(optarg))
                return complain("no such requirement: ", optarg);
            options->only = optarg;
            break;
        case OPTION_RUNS:
            if (!read_number(optarg, &options->settings.runs))
                return complain("--runs is a number, not ", optarg);
            break;
        case OPTION_SECONDS:
            if (!read_number(optarg, &options->settings.seconds))
                return complain("--seconds is a number, not ", optarg);
            break;
        case OPTION_LOCK:
            options->lock = optarg;
            break;
        case OPTION_LIST:
            print_list();
            return EXIT_HELD;
        case OPTION_PRINT_PROGRAMS:
            programs_print(stdout);
            return EXIT_HELD;
        case OPTION_VERSION:
            printf("pawl-harness %s\n", pawl_version());
            return EXIT_HELD;
        case OPTION_HELP:
            print_help();
            return EXIT_HELD;
        default:
            return EXIT_USAGE;
        }
    }
    if (optind + 1 != argc)
        return complain("one plugin is needed", "");
    options->plugin = argv[optind];
    if (options->lock != NULL && options->only != NULL)
        return complain("a record is of all requirements: --lock goes without --only", "");
    return READ_ON;
}

/* Takes the plugin's path apart. The library trusts no links, so they are resolved here. */
static bool find_plugin(const char *path, struct settings *settings)
{
    static char real[PATH_MAX];
    if (realpath(path, real) == NULL) {
        fprintf(stderr, "pawl-harness: %s: %s\n", path, strerror(errno));
        return false;
    }
    char *slash = strrchr(real, '/');
    *slash = '\0';
    settings->directory = slash == real ? "/" : real;
    settings->file = slash + 1;
    const char *suffix = strstr(settings->file, "-stage.so");
    settings->is_stage = suffix != NULL && suffix[strlen("-stage.so")] == '\0';
    return true;
}

/* --- The report ---------------------------------------------------------------------------- */

/* Prints every line of a text behind "# ". */
static void print_words(const struct buffer *words)
{
    const char *line = words->data;
    while (line != NULL && *line != '\0') {
        size_t size = strcspn(line, "\n");
        printf("# %.*s\n", (int)size, line);
        line += size + (line[size] == '\n');
    }
}

static void print_outcome(unsigned number, const struct requirement *requirement,
                          const struct check *check)
{
    const char *words = check->words.data != NULL ? check->words.data : "";
    printf("%s %u - %s %s", check->outcome == OUTCOME_FAILED ? "not ok" : "ok", number,
           requirement->id, requirement->title);
    if (check->outcome == OUTCOME_SKIPPED)
        printf(" # SKIP %.*s", (int)strcspn(words, "\n"), words);
    printf("\n");
    if (check->outcome != OUTCOME_SKIPPED)
        print_words(&check->words);
    fflush(stdout);
}

static bool is_wanted(const struct options *options, const struct requirement *requirement)
{
    return is_of_stages(requirement) == options->settings.is_stage &&
           (options->only == NULL || strstr(options->only, requirement->id) != NULL);
}

static bool is_any_wanted(const struct options *options)
{
    for (const struct requirement *r = NULL; (r = next_requirement(r)) != NULL;)
        if (is_wanted(options, r))
            return true;
    return false;
}

static int run(const struct options *options)
{
    unsigned number = 0, failed = 0;
    if (!is_any_wanted(options))
        return complain("no such requirement of this kind of plugin: ", options->only);
    struct record *record = options->lock != NULL ? record_new(&options->settings) : NULL;
    for (const struct requirement *r = NULL; (r = next_requirement(r)) != NULL;) {
        struct check check = {.settings = &options->settings};
        if (!is_wanted(options, r))
            continue;
        check_apart(r, &check);
        print_outcome(++number, r, &check);
        failed += check.outcome == OUTCOME_FAILED;
        if (record != NULL)
            record_add(record, r, &check);
        buffer_clear(&check.words);
    }
    printf("1..%u\n", number);
    if (record != NULL && !record_write(record, options->lock))
        return EXIT_USAGE;
    return failed == 0 ? EXIT_HELD : EXIT_BROKEN;
}

int main(int argc, char **argv)
{
    struct options options = {.settings = {.runs = 2000}};
    char error[600];
    if (argc == 3 && strcmp(argv[1], "--forge") == 0)
        forge_child(argv[2], NULL); /* started by a plugin that is checked: see forged.c */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    int status = read_options(argc, argv, &options);
    if (status != READ_ON)
        return status;
    if (!find_plugin(options.plugin, &options.settings))
        return EXIT_USAGE;
    options.settings.programs = programs_load(options.programs, error, sizeof(error));
    if (options.settings.programs == NULL) {
        fprintf(stderr, "pawl-harness: %s\n", error);
        return EXIT_USAGE;
    }
    status = run(&options);
    programs_free(options.settings.programs);
    return status;
}
