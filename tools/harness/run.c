/* R44 to R51: runs beside and after each other, and what surrounds a run. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "tools/harness/held.h"
#include "tools/harness/trial.h"

static void takes_time_from_the_host(struct check *check)
{
    spy_guise()->clock = INT64_C(981173106000) * 1000000;
    expect_value(check, "clock", run_scenario(check, "clock"), "981173106000");
}

/* What the program draws when every random byte is that. */
static char *draw(struct check *check, unsigned char seed)
{
    spy_guise()->random_is_fixed = 1;
    spy_guise()->seed = seed;
    const pawl_result *result = run_scenario(check, "random");
    if (result == NULL ||
        !expect(check, pawl_result_ok(result), "random: it came to %s", outcome_of(result)))
        return NULL;
    return strdup(pawl_result_value(result, NULL));
}

static void takes_chance_from_the_host(struct check *check)
{
    const char *first = draw(check, 17), *again = draw(check, 17), *other = draw(check, 99);
    if (first == NULL || again == NULL || other == NULL)
        return;
    expect(check, strcmp(first, again) == 0,
           "random: with the same random bytes from the host it draws %s and %s", first, again);
    expect(check, strcmp(first, other) != 0,
           "random: with other random bytes from the host it draws %s again", first);
}

static void works_after_failures(struct check *check)
{
    static const char *const failures[] = {"syntax", "runtime", "bad_result",  "failed",
                                           "loop",   "pending", "calls_caught"};
    for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
        struct trial trial;
        if (!trial_try(check, &trial, failures[i]))
            continue;
        trial.budget.max_calls = 10;
        if (trial.budget.wall_clock != 0)
            trial.budget.wall_clock = strcmp(failures[i], "loop") == 0 ? 300 : 5000;
        else if (strcmp(failures[i], "loop") == 0)
            continue;
        trial_run(&trial);
        const pawl_result *result = run_scenario(check, "echo");
        if (result != NULL)
            expect(check, pawl_result_ok(result), "after the program \"%s\" the next came to %s",
                   failures[i], outcome_of(result));
    }
}

static void forgets(struct check *check)
{
    const pawl_result *before = run_scenario(check, "state_read");
    if (before == NULL ||
        !expect(check, pawl_result_ok(before), "state_read: it came to %s", outcome_of(before)))
        return;
    for (int i = 0; i < 3; i++) {
        const pawl_result *written = run_scenario(check, "state_write");
        const pawl_result *after = run_scenario(check, "state_read");
        if (written == NULL || after == NULL)
            return;
        if (!expect(check, pawl_result_ok(written), "state_write: it came to %s",
                    outcome_of(written)))
            return;
        if (!expect(check,
                    pawl_result_ok(after) && strcmp(pawl_result_value(before, NULL),
                                                    pawl_result_value(after, NULL)) == 0,
                    "a program sees what another left behind: state_read was %s, then it came to "
                    "%s",
                    pawl_result_value(before, NULL), outcome_of(after)))
            return;
    }
}

/* --- Threads ------------------------------------------------------------------------------- */

#define THREADS          4
#define RUNS_ON_A_THREAD 10

struct runner {
    pthread_t thread;
    struct check check; /* of its own: the words of several threads would mix */
    int first;
};

/* Runs programs of different numbers, each of which waits for another run in the middle. */
static void *run_many(void *data)
{
    struct runner *runner = data;
    for (int i = 0; i < RUNS_ON_A_THREAD; i++) {
        struct trial trial;
        char number[16], log[32], expected[40];
        snprintf(number, sizeof(number), "%d", runner->first + i);
        snprintf(log, sizeof(log), "run %s", number);
        snprintf(expected, sizeof(expected), "[%s,%s]", number, number);
        if (!trial_new(&runner->check, &trial, "threads"))
            return NULL;
        trial_fill(&trial, "@NUMBER@", number);
        trial.provider = runner->first / 100 % 2 == 0 ? "subject" : "second";
        const pawl_result *result = trial_run(&trial);
        if (!expect_value(&runner->check, "threads", result, expected))
            return NULL;
        const char *logged = pawl_result_logs(result) == 1 ? pawl_result_log(result, 0, NULL) : "";
        expect(&runner->check, strcmp(logged, log) == 0,
               "threads: run %s logged \"%s\", or more than once", number, logged);
    }
    return NULL;
}

static void runs_on_threads(struct check *check)
{
    struct runner runners[THREADS];
    struct subject *subject = subject_open(check);
    if (subject == NULL || !subject_open_another(check, "second"))
        return;
    /* One at a time never meets another. */
    struct tools *tools = trial_tools();
    tools->meeting_timeout = subject->plugin->provider.threads == PAWL_THREADS_SERIAL ? 1 : 500;
    struct trial probe;
    if (!trial_new(check, &probe, "threads"))
        return;
    for (int i = 0; i < THREADS; i++) {
        runners[i].first = 100 * (i + 1);
        runners[i].check = (struct check){.settings = check->settings, .subject = subject};
        if (!expect(check, pthread_create(&runners[i].thread, NULL, run_many, &runners[i]) == 0,
                    "no thread can be started"))
            return;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(runners[i].thread, NULL);
        expect(check, runners[i].check.outcome == OUTCOME_PASSED, "%s",
               runners[i].check.words.data);
    }
}

/* --- Growth -------------------------------------------------------------------------------- */

/* One round of different programs; false: none of them exists, or one went wrong. */
static bool run_round(struct check *check)
{
    static const char *const scenarios[] = {"value", "echo", "runtime", "syntax", "sequence"};
    bool any = false;
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        struct trial trial;
        if (!trial_try(check, &trial, scenarios[i]))
            continue;
        pawl_result *result = trial_run(&trial);
        if (!expect_survived(check, scenarios[i], result))
            return false;
        pawl_result_free(result);
        trial_free(&trial);
        trial_forget_notes();
        any = true;
    }
    if (!any)
        skip(check, "no program of \"value\", \"echo\", \"runtime\", \"syntax\"");
    return any;
}

/* What allocators and caches may take after the first runs, whatever the number of the others. */
#define GROWTH_ALLOWED (2L << 20)

/* A provider whose runs are slow is held to fewer of them. */
#define SECONDS_FOR_RUNS 20u

static void does_not_grow(struct check *check)
{
    unsigned long rounds = check->settings->runs / 5, round = 0;
    if (subject_open(check) == NULL)
        return;
    uint64_t end = clock_now() + SECONDS_FOR_RUNS * 1000 * NS_PER_MS;
    for (; round < rounds / 4 || round < 10; round++)
        if (!run_round(check))
            return;
    size_t files = held_files(), threads = held_threads();
    long before = held_memory();
    for (; round < rounds && (clock_now() < end || round < 50); round++)
        if (!run_round(check))
            return;
    long growth = held_memory() - before;
    expect(check, growth < GROWTH_ALLOWED, "after %lu runs it holds %ld KiB more than before",
           round * 5, growth / 1024);
    /* A thread of the library may still be putting the last run's things away. */
    expect(check, held_files() <= files + 8, "after %lu runs %zu more files are open", round * 5,
           held_files() - files);
    expect(check, held_threads() <= threads + 8, "after %lu runs there are %zu more threads",
           round * 5, held_threads() - threads);
}

static void leaves_nothing(struct check *check)
{
    struct trial trial;
    /* What the first instance leaves for all later ones is no leak. */
    if (subject_open(check) == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        if (!trial_new_text(check, &trial, "an empty program", "", 0))
            return;
        trial_run(&trial);
        subject_close(check);
        size_t files = held_files(), threads = held_threads();
        static size_t files_before, threads_before;
        if (i > 0) {
            expect(check, files <= files_before, "%zu files are left open", files - files_before);
            expect(check, threads <= threads_before, "%zu threads are left",
                   threads - threads_before);
        }
        files_before = files;
        threads_before = threads;
    }
    expect(check, !held_children(), "a process is left");
}

/* --- Facts --------------------------------------------------------------------------------- */

static void states_facts(struct check *check)
{
    static const char *const axes[] = {"files", "network", "syscalls", "memory"};
    const pawl_result *result;
    struct trial trial;
    if (!trial_new_text(check, &trial, "an empty program", "", 0) ||
        (result = trial_run(&trial)) == NULL)
        return;
    for (size_t i = 0; i < sizeof(axes) / sizeof(axes[0]); i++) {
        const char *fact = pawl_result_fact(result, axes[i]);
        if (fact != NULL)
            expect(check,
                   strstr(fact, "\"grade\"") != NULL && strstr(fact, "\"by\"") != NULL &&
                       (strstr(fact, "\"full\"") != NULL || strstr(fact, "\"partial\"") != NULL ||
                        strstr(fact, "\"none\"") != NULL),
                   "its fact %s is %s, not {\"grade\": full, partial or none, \"by\": what}",
                   axes[i], fact);
    }
}

const struct requirement run_requirements[] = {
    {.id = "R44",
     .title = "takes the time from the host",
     .programs = "clock",
     .test = takes_time_from_the_host},
    {.id = "R45",
     .title = "takes chance from the host",
     .programs = "random",
     .test = takes_chance_from_the_host},
    {.id = "R46",
     .title = "works after a run that failed",
     .programs = "syntax runtime bad_result failed loop pending calls_caught echo",
     .test = works_after_failures},
    {.id = "R47",
     .title = "shares nothing between runs",
     .programs = "state_read state_write",
     .test = forgets},
    {.id = "R48",
     .title = "runs on several threads, as its thread model says",
     .programs = "threads",
     .test = runs_on_threads},
    {.id = "R49",
     .title = "does not grow over thousands of runs",
     .programs = "value echo runtime syntax sequence",
     .test = does_not_grow,
     .seconds = 180},
    {.id = "R50", .title = "leaves nothing when it is destroyed", .test = leaves_nothing},
    {.id = "R51", .title = "states facts in their form", .test = states_facts},
    {0},
};
