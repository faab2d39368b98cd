/* R68: whether native code gets out of a provider of level os. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/probes/probe.h"
#include "tools/harness/trial.h"

#define ENGINE "pawl-compromised-provider.so"

/* A descriptor of the host's that no child may have. */
#define DESCRIPTOR 800

#define MEMORY (UINT64_C(64) << 20)

/* The engine that executes probes. */
static bool find_engine(char *path, size_t size)
{
    const char *directory = secure_getenv("PAWL_PROBES");
    snprintf(path, size, "%s/%s", directory != NULL ? directory : PROBES_DIRECTORY, ENGINE);
    return access(path, R_OK) == 0;
}

/* A process of the same user, or of another where that is root, whom most probes leave alone. */
static pid_t start_victim(void)
{
    pid_t victim = fork();
    if (victim == 0) {
        if (geteuid() == 0 && setuid(65532) != 0)
            _exit(1);
        for (;;)
            pause();
    }
    return victim;
}

/* How many fail even when nothing confines them, and their names. */
static size_t find_untestable(struct buffer *names)
{
    size_t count = 0;
    for (size_t i = 0; i < probe_count; i++) {
        char end[64];
        probe_control(&probes[i], end, sizeof(end));
        if (strcmp(end, "done") == 0)
            continue;
        buffer_format(names, " %s (%s)", probes[i].name, end);
        count++;
    }
    return count;
}

static void attempt(struct check *check, const struct probe *probe,
                    const struct probe_target *target)
{
    struct trial trial;
    char program[512];
    int size = snprintf(program, sizeof(program), "%s %d %d %s", probe->name, (int)target->victim,
                        target->descriptor, target->file);
    if (!trial_new_text(check, &trial, probe->name, program, (size_t)size))
        return;
    trial.budget.max_memory = MEMORY; /* one of them takes what it can get */
    pawl_result *result = trial_run(&trial);
    if (result == NULL)
        return;
    if (pawl_result_ok(result))
        expect(check, strcmp(pawl_result_value(result, NULL), "\"done\"") != 0,
               "%s: native code got out", probe->name);
    else /* it was stopped for good */
        expect(check, strcmp(pawl_result_kind(result), "worker_exit") == 0, "%s: it came to %s",
               probe->name, outcome_of(result));
    pawl_result_free(result);
    trial_free(&trial);
}

static void expect_host_whole(struct check *check, const struct probe_target *target)
{
    struct stat status;
    expect(check, kill(target->victim, 0) == 0 && waitpid(target->victim, NULL, WNOHANG) == 0,
           "a process of the host was killed");
    expect(check, stat(target->file, &status) == 0, "a file of the host was removed");
}

static void attempt_all(struct check *check)
{
    char file[] = "/tmp/pawl-harness.XXXXXX";
    struct probe_target target = {.file = file};
    int made = mkstemp(file);
    if (!expect(check, made >= 0, "no file can be made in /tmp: %m"))
        return;
    target.descriptor = dup2(made, DESCRIPTOR);
    close(made);
    target.victim = start_victim();
    for (size_t i = 0; i < probe_count; i++)
        attempt(check, &probes[i], &target);
    expect_host_whole(check, &target);
    kill(target.victim, SIGKILL);
    waitpid(target.victim, NULL, 0);
    unlink(file);
}

/* The engine has a language of its own. */
static void forget_language(struct check *check)
{
    static struct settings settings;
    settings = *check->settings;
    settings.language = NULL;
    check->settings = &settings;
}

static void holds_native_code(struct check *check)
{
    static char engine[4096];
    struct buffer names BUFFER_CLEANUP = {0};
    const struct plugin *plugin = subject_load(check);
    if (plugin == NULL)
        return;
    if ((plugin->provider.offers_bits & PAWL_OFFERS_ISOLATION) == 0) {
        skip(check, "it isolates no engines");
        return;
    }
    if (!expect(check, find_engine(engine, sizeof(engine)), "%s: %m", engine))
        return;
    size_t count = find_untestable(&names); /* before there are other threads */
    spy_guise()->engine = engine;
    forget_language(check);
    if (subject_open(check) == NULL)
        return;
    if (check->subject->level < PAWL_LEVEL_OS) {
        skip(check, "its level is %s", pawl_level_name(check->subject->level));
        return;
    }
    attempt_all(check);
    if (count == probe_count)
        skip(check, "all %zu probes are untestable here: they fail even unconfined", count);
    else if (count > 0)
        note(check, "of %zu probes, %zu are untestable here, as they fail even unconfined:%s",
             probe_count, count, names.data);
    else
        note(check, "%zu probes", probe_count);
}

const struct requirement escape_requirements[] = {
    {.id = "R68",
     .title = "lets native code in an engine not get out, at the level os",
     .test = holds_native_code,
     .seconds = 300},
    {0},
};
