/*
 * R86 to R89: children that break the protocol between parent and child (abi/wire.md).
 *
 * A forger gets into a child's place in two ways: as a `command` that the plugin is configured
 * with, which is this program itself, or as the engine that a child loads, which then writes on the
 * child's descriptors. A plugin that knows neither cannot be tested.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "tests/wire/forgery.h"
#include "tools/harness/held.h"
#include "tools/harness/trial.h"

#define ENGINE "pawl-forging-provider.so"

/* How late a run may end, in milliseconds; its wall clock, where only that ends it; and where it
 * ends by itself, also on a machine that is busy. */
#define LATENESS    30000u
#define SHORT_CLOCK 500u
#define LONG_CLOCK  20000u

/* How much more memory the host may hold after a flood. */
#define FLOOD_MEMORY (48L << 20)

enum way { COMMAND, ENGINE_INSIDE, WAYS };

static const char *const way_names[WAYS] = {[COMMAND] = "a command", [ENGINE_INSIDE] = "an engine"};

/* --- Getting into place -------------------------------------------------------------------- */

/* The configuration with which the plugin starts this program as a forger. False: it has no name.
 */
static bool command_config(char *config, size_t size, const char *how)
{
    char self[PATH_MAX], quoted[2 * PATH_MAX + 3];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
    struct buffer json BUFFER_CLEANUP = {0};
    if (length <= 0 || (size_t)length >= sizeof(self))
        return false;
    buffer_json_string(&json, self, (size_t)length);
    if (json.failed != PAWL_OK || json.size >= sizeof(quoted))
        return false;
    return snprintf(config, size, "{\"command\":[%s,\"--forge\",\"%s\"]}", json.data, how) <
           (int)size;
}

static bool find_engine(char *path, size_t size)
{
    const char *directory = secure_getenv("PAWL_PROBES");
    snprintf(path, size, "%s/%s", directory != NULL ? directory : PROBES_DIRECTORY, ENGINE);
    return access(path, R_OK) == 0;
}

/* Has the plugin make an instance with a configuration, and destroy it; `why` may be NULL. */
static int32_t try_config(const struct plugin *plugin, const char *config, struct buffer *why)
{
    pawl_registry *registry;
    pawl_error *error = NULL;
    if (pawl_registry_new(&registry, NULL) != PAWL_OK)
        return PAWL_E_MEMORY;
    int status = pawl_registry_add(registry, spy_on(plugin), "forged", config, &error);
    if (status != PAWL_OK && why != NULL)
        buffer_string(why, pawl_error_message(error));
    pawl_error_free(error);
    pawl_registry_free(registry);
    return status;
}

/* Whether an instance of a configuration runs what a forger says that it runs. One that takes any
 * configuration has not started a forger. */
static bool runs_forgers(const struct plugin *plugin, const char *config)
{
    pawl_registry *registry;
    return pawl_registry_new(&registry, NULL) == PAWL_OK &&
           pawl_registry_add(registry, spy_on(plugin), "forged", config, NULL) == PAWL_OK &&
           strcmp(plugin->provider.languages(spy_instance())[0], FORGE_LANGUAGE) == 0;
}

/* The same, asked in a process of its own: a plugin that does not know such a configuration may do
 * anything. */
static bool accepts(const struct plugin *plugin, const char *config)
{
    int status = 1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(runs_forgers(plugin, config) ? 42 : 1);
    if (child > 0)
        waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

static char engine[PATH_MAX];

/* In which ways the plugin can be had; to be asked before there are threads. */
static void find_ways(struct check *check, bool ways[WAYS])
{
    char config[4 * PATH_MAX];
    const struct plugin *plugin = subject_load(check);
    ways[COMMAND] = ways[ENGINE_INSIDE] = false;
    if (plugin == NULL)
        return;
    ways[COMMAND] = command_config(config, sizeof(config), "value") && accepts(plugin, config);
    if ((plugin->provider.offers_bits & PAWL_OFFERS_ISOLATION) == 0 ||
        !expect(check, find_engine(engine, sizeof(engine)), "%s: %m", engine))
        return;
    spy_guise()->engine = engine;
    ways[ENGINE_INSIDE] = accepts(plugin, check->settings->config);
    spy_guise()->engine = NULL;
}

/* Makes the subject one whose child forges. False: it is none, though it takes the configuration.
 */
static bool get_into_place(struct check *check, enum way way, const char *how)
{
    static char config[4 * PATH_MAX];
    static struct settings settings;
    settings = *check->settings;
    settings.language = NULL;
    if (way == COMMAND) {
        if (!command_config(config, sizeof(config), how))
            return false;
        settings.config = config;
    } else {
        spy_guise()->engine = engine;
    }
    check->settings = &settings;
    return subject_open(check) != NULL && strcmp(check->subject->languages[0], FORGE_LANGUAGE) == 0;
}

static void get_out(struct check *check, const struct settings *settings)
{
    subject_close(check);
    spy_guise()->engine = NULL;
    check->settings = settings;
}

/* Runs a forger. NULL: there is no result, or no forger. */
static pawl_result *forge(struct check *check, enum way way, const char *how, uint64_t wall_clock,
                          uint64_t max_calls)
{
    struct trial trial;
    struct pawl_budget budget = pawl_budget_empty();
    /* A program that no pipe takes at once, or the way itself. */
    static char large[4 << 20];
    bool floods = way == COMMAND && strcmp(how, "never-read") == 0;
    memset(large, ' ', sizeof(large));
    if (!trial_new_text(check, &trial, how, floods ? large : how,
                        floods ? sizeof(large) : strlen(how)))
        return NULL;
    budget.wall_clock = wall_clock;
    if (subject_supports(check, &budget))
        trial.budget.wall_clock = wall_clock;
    trial.budget.max_calls = max_calls;
    uint64_t start = clock_now();
    pawl_result *result = trial_run(&trial);
    uint64_t took = (clock_now() - start) / NS_PER_MS;
    expect(check, took < wall_clock + LATENESS,
           "%s (by %s): the run was to end after %llu ms, and took %llu ms", how, way_names[way],
           (unsigned long long)wall_clock, (unsigned long long)took);
    trial_free(&trial);
    return result;
}

/* Whether a kind is in a list, separated by spaces. */
static bool is_one_of(const char *kinds, const char *kind)
{
    size_t length = strlen(kind);
    for (const char *at = kinds; (at = strstr(at, kind)) != NULL; at += length)
        if ((at == kinds || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
            return true;
    return false;
}

struct offence {
    const char *how;
    const char *kinds; /* that the run may come to; NULL: any, and a value, too */
};

/* One of them. False: there is no forger. */
static bool try_offence(struct check *check, enum way way, const struct offence *offence)
{
    const struct settings *settings = check->settings;
    bool placed = get_into_place(check, way, offence->how);
    bool endless = offence->kinds != NULL && is_one_of(offence->kinds, "deadline");
    uint64_t wall_clock = endless ? SHORT_CLOCK : LONG_CLOCK;
    pawl_result *result = placed ? forge(check, way, offence->how, wall_clock, 1000) : NULL;
    if (result != NULL && offence->kinds != NULL)
        expect(check,
               !pawl_result_ok(result) && is_one_of(offence->kinds, pawl_result_kind(result)),
               "%s (by %s): the run came to %s, not to one of: %s", offence->how, way_names[way],
               outcome_of(result), offence->kinds);
    pawl_result_free(result);
    get_out(check, settings);
    return placed;
}

static void expect_honest(struct check *check, enum way way)
{
    const struct settings *settings = check->settings;
    pawl_result *result = NULL;
    if (get_into_place(check, way, "value") &&
        (result = forge(check, way, "value", LONG_CLOCK, 0)) != NULL)
        expect_value(check, "after that, an honest child", result, "1");
    pawl_result_free(result);
    get_out(check, settings);
}

/* Tries each offence in each way that there is, and afterwards an honest child. */
static void try_offences(struct check *check, const bool ways[WAYS], const struct offence *offences,
                         size_t count)
{
    bool any = false;
    for (enum way way = COMMAND; way < WAYS; way++) {
        size_t tried = 0;
        while (ways[way] && tried < count && check->outcome != OUTCOME_FAILED &&
               try_offence(check, way, &offences[tried]))
            tried++;
        if (tried == count && check->outcome != OUTCOME_FAILED)
            expect_honest(check, way);
        any |= tried == count;
    }
    if (!any)
        skip(check, "it runs neither a command nor an engine in a child");
}

/* --- Requirements -------------------------------------------------------------------------- */

#define BROKEN "protocol worker_exit"

static void ends_runs_that_break_it(struct check *check)
{
    static const struct offence offences[] = {
        {"unknown-type", BROKEN},
        {"wrong-channel", BROKEN},
        {"value-on-calls", BROKEN},
        {"second-ready", BROKEN},
        {"no-json", BROKEN},
        {"no-object", BROKEN},
        {"empty-frame", BROKEN},
        {"two-values-in-one", BROKEN},
        {"injected", BROKEN},
        {"not-utf8", BROKEN},
        {"surrogate-utf8", BROKEN},
        {"control-character", BROKEN},
        {"nan", BROKEN},
        {"leading-zero", BROKEN},
        {"deep", BROKEN},
        {"deep-call", BROKEN},
        {"unknown-kind", BROKEN},
        {"claimed-exit", BROKEN},
        {"no-message", BROKEN},
        {"bad-line", BROKEN},
        {"unknown-call", BROKEN},
        {"bad-suggestions", BROKEN},
        {"many-suggestions", BROKEN},
        {"stopped", BROKEN},
        {"call-zero", BROKEN},
        {"call-twice", BROKEN},
        {"call-backwards", BROKEN},
        {"call-undeclared", BROKEN},
        {"call-huge-function", BROKEN},
        {"call-no-array", BROKEN},
        {"call-no-id", BROKEN},
        {"call-real-id", BROKEN},
        {"call-overflow", BROKEN},
        {"log-no-text", BROKEN},
        {"log-number", BROKEN},
        {"random-none", BROKEN},
        {"random-much", BROKEN},
        {"fact-no-name", BROKEN},
        {"oversized", BROKEN},
        {"oversized-most", BROKEN},
        {"value-and-failure", BROKEN},
        {"value-twice", BROKEN},
    };
    bool ways[WAYS];
    find_ways(check, ways);
    try_offences(check, ways, offences, 1); /* what the first leaves for all others is no leak */
    if (check->outcome != OUTCOME_PASSED)
        return;
    size_t before = held_files();
    try_offences(check, ways, offences, sizeof(offences) / sizeof(offences[0]));
    size_t after = held_files();
    expect(check, after <= before, "%zu files are left open", after - before);
}

static void outlives_what_breaks_off(struct check *check)
{
    static const struct offence offences[] = {
        {"truncated", BROKEN},   {"truncated-exit", BROKEN}, {"close-report", BROKEN},
        {"close-calls", BROKEN}, {"close-answers", BROKEN},  {"grandchild", BROKEN},
        {"close-launch", NULL},  {"close-stderr", NULL},     {"grandchild-value", NULL},
    };
    bool ways[WAYS];
    find_ways(check, ways);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL); /* for all threads that there will be */
    prctl(PR_SET_CHILD_SUBREAPER, 1);     /* whoever a child leaves behind is found here */
    try_offences(check, ways, offences, sizeof(offences) / sizeof(offences[0]));
    if (check->outcome != OUTCOME_PASSED)
        return;
    /* It was killed, perhaps, and is not dead yet. */
    const struct timespec patience = {.tv_sec = 10};
    int in_time = 0;
    while (in_time >= 0) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (!held_children())
            return;
        in_time = sigtimedwait(&child, NULL, &patience);
    }
    expect(check, false, "a process that a child started is left running");
}

static void is_not_flooded(struct check *check)
{
#define STOPPED BROKEN " deadline output_limit budget_calls"
    static const struct offence offences[] = {
        {"flood-logs", STOPPED},      {"flood-facts", STOPPED},  {"flood-calls", STOPPED},
        {"flood-questions", STOPPED}, {"flood-stderr", STOPPED}, {"never-read", STOPPED},
        {"ignore-term", STOPPED},
    };
    bool ways[WAYS];
    find_ways(check, ways);
    long before = held_memory();
    try_offences(check, ways, offences, sizeof(offences) / sizeof(offences[0]));
    long grown = held_memory() - before;
    expect(check, check->outcome != OUTCOME_PASSED || grown < FLOOD_MEMORY,
           "after the floods the process holds %ld MiB more", grown >> 20);
}

static void refuses_bad_starts(struct check *check)
{
    static const char *const ways[] = {
        "start-nothing",         "start-closed",  "start-garbage",
        "start-value",           "start-version", "start-no-languages",
        "start-empty-languages", "start-error",   "start-bad-error"};
    char config[4 * PATH_MAX];
    bool can[WAYS];
    find_ways(check, can);
    const struct plugin *plugin = subject_load(check);
    if (!can[COMMAND] || plugin == NULL) {
        skip(check, "it runs no command in a child");
        return;
    }
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct buffer why BUFFER_CLEANUP = {0};
        if (!expect(check, command_config(config, sizeof(config), ways[i]), "out of memory"))
            return;
        int32_t status = try_config(plugin, config, &why);
        expect(check, status != PAWL_OK, "%s: an instance is made of a child that never was ready",
               ways[i]);
        expect(check, status == PAWL_OK || why.size > 0, "%s: it is refused without a reason",
               ways[i]);
    }
}

const struct requirement forged_requirements[] = {
    {.id = "R86",
     .title = "ends a run whose child breaks the protocol",
     .test = ends_runs_that_break_it,
     .seconds = 180},
    {.id = "R87",
     .title = "outlives a child that breaks off, and leaves nobody behind",
     .test = outlives_what_breaks_off,
     .seconds = 120},
    {.id = "R88",
     .title = "is not flooded by a child, nor held up by one that listens to nothing",
     .test = is_not_flooded,
     .seconds = 120},
    {.id = "R89",
     .title = "makes no instance of a child that does not become ready",
     .test = refuses_bad_starts,
     .seconds = 120},
    {0},
};
