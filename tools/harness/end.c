/* R35 to R43: how runs end that do not end by themselves, and how the end is said. */
#include <pthread.h>
#include <string.h>

#include "tools/harness/trial.h"

/* What the program did after it should have been stopped. */
static void expect_stopped(struct check *check, const char *scenario, const pawl_result *result)
{
    const struct spy_findings *found = spy_findings();
    expect(check, pawl_result_logs(result) == 0 && found->ran_on == 0,
           "%s: the program ran on after the end of its run (%s)", scenario,
           found->ran_on != 0 ? found->service : "it caught it");
}

static void stops_at_max_calls(struct check *check)
{
    struct trial trial;
    if (!trial_new(check, &trial, "calls_caught"))
        return;
    trial.budget.max_calls = 10;
    const pawl_result *result = trial_run(&trial);
    if (!expect_kind(check, "calls_caught", result, "budget_calls"))
        return;
    expect(check, strcmp(trial.tools->notes.data, "1 1 1 1 1 1 1 1 1 1 ") == 0,
           "calls_caught: the function was called with %s", trial.tools->notes.data);
    expect_stopped(check, "calls_caught", result);
}

static void stops_at_max_bytes(struct check *check)
{
    struct trial trial;
    if (!trial_new(check, &trial, "bytes_caught"))
        return;
    trial.budget.max_bytes = 10500;
    const pawl_result *result = trial_run(&trial);
    if (expect_kind(check, "bytes_caught", result, "budget_bytes"))
        expect_stopped(check, "bytes_caught", result);
}

/* --- Cancelling ---------------------------------------------------------------------------- */

static void *cancel_what_waits(void *data)
{
    const struct trial *trial = data;
    tools_wait_for_waiting(trial->tools, 1);
    pawl_cancel_now(trial->cancel);
    return NULL;
}

static void is_cancelled_in_a_call(struct check *check)
{
    struct trial trial;
    pthread_t thread;
    if (!trial_new(check, &trial, "wait"))
        return;
    if (!expect(check, pawl_cancel_new(&trial.cancel, NULL) == PAWL_OK, "out of memory"))
        return;
    pthread_create(&thread, NULL, cancel_what_waits, &trial);
    const pawl_result *result = trial_run(&trial);
    pthread_join(thread, NULL);
    if (expect_kind(check, "wait", result, "abort"))
        expect_stopped(check, "wait", result);
}

static void is_cancelled_before(struct check *check)
{
    struct trial trial;
    if (!trial_new(check, &trial, "loop"))
        return;
    if (!expect(check, pawl_cancel_new(&trial.cancel, NULL) == PAWL_OK, "out of memory"))
        return;
    pawl_cancel_now(trial.cancel);
    expect_kind(check, "loop", trial_run(&trial), "abort");
}

/* Cancels once the program is under way: the spy has seen the run begin, and a while has passed. */
static void *cancel_what_computes(void *data)
{
    const struct trial *trial = data;
    const struct timespec moment = {.tv_nsec = 20000000};
    while (spy_findings()->runs == 0)
        nanosleep(&moment, NULL);
    nanosleep(&moment, NULL);
    pawl_cancel_now(trial->cancel);
    return NULL;
}

static void is_cancelled_while_computing(struct check *check)
{
    struct trial trial;
    pthread_t thread;
    if (!trial_new(check, &trial, "loop"))
        return;
    if (!expect(check, pawl_cancel_new(&trial.cancel, NULL) == PAWL_OK, "out of memory"))
        return;
    pthread_create(&thread, NULL, cancel_what_computes, &trial);
    expect_kind(check, "loop", trial_run(&trial), "abort");
    pthread_join(thread, NULL);
}

static void meets_its_deadline_in_a_call(struct check *check)
{
    struct trial trial;
    if (!trial_new(check, &trial, "wait"))
        return;
    if (trial.budget.wall_clock == 0) {
        skip(check, "it does not claim to keep a wall clock");
        return;
    }
    trial.budget.wall_clock = 300;
    const pawl_result *result = trial_run(&trial);
    if (expect_kind(check, "wait", result, "deadline"))
        expect_stopped(check, "wait", result);
}

/* --- Saying the end ------------------------------------------------------------------------ */

/* Runs that end in every way: of themselves, by a failure, by a budget, by the clock. */
static bool end_in_every_way(struct check *check)
{
    static const char *const scenarios[] = {"value",  "nothing",    "syntax",       "runtime",
                                            "failed", "bad_result", "calls_caught", "loop"};
    bool any = false;
    spy_forget();
    for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
        struct trial trial;
        if (!trial_try(check, &trial, scenarios[i]))
            continue;
        trial.budget.max_calls = 10;
        if (trial.budget.wall_clock != 0)
            trial.budget.wall_clock = strcmp(scenarios[i], "loop") == 0 ? 300 : 5000;
        else if (strcmp(scenarios[i], "loop") == 0)
            continue;
        any = trial_run(&trial) != NULL || any;
    }
    if (!any)
        skip(check, "no program of \"value\", \"runtime\" and others");
    return any;
}

static void says_its_end_once(struct check *check)
{
    if (!end_in_every_way(check))
        return;
    const struct spy_findings *found = spy_findings();
    expect(check, found->no_end == 0, "%u runs returned without a value or failure", found->no_end);
    expect(check, found->second_end == 0, "%u runs ended a second time (%s)", found->second_end,
           found->service);
    expect(check, found->no_status == 0, "%u runs returned what is no status", found->no_status);
}

static void is_quiet_after_the_end(struct check *check)
{
    if (!end_in_every_way(check))
        return;
    /* What a thread does later needs another run or the end of the instance to come out. */
    subject_close(check);
    const struct spy_findings *found = spy_findings();
    expect(check, found->after_end == 0, "services were used after value or fail (%s)",
           found->service);
    expect(check, found->after_return == 0, "services were used after run had returned (%s)",
           found->service);
}

static void stays_on_its_thread(struct check *check)
{
    if (!end_in_every_way(check))
        return;
    const struct spy_findings *found = spy_findings();
    expect(check, found->other_thread == 0, "services were used on another thread (%s)",
           found->service);
}

const struct requirement end_requirements[] = {
    {.id = "R35",
     .title = "stops a program at max_calls, which it cannot catch",
     .programs = "calls_caught",
     .test = stops_at_max_calls},
    {.id = "R36",
     .title = "stops a program at max_bytes, which it cannot catch",
     .programs = "bytes_caught",
     .test = stops_at_max_bytes},
    {.id = "R37",
     .title = "runs nothing when it was cancelled before",
     .programs = "loop",
     .test = is_cancelled_before},
    {.id = "R38",
     .title = "stops a program that waits when it is cancelled",
     .programs = "wait",
     .test = is_cancelled_in_a_call},
    {.id = "R39",
     .title = "stops a program that computes when it is cancelled",
     .programs = "loop",
     .test = is_cancelled_while_computing},
    {.id = "R40",
     .title = "stops a program that waits at its deadline",
     .programs = "wait",
     .test = meets_its_deadline_in_a_call},
    {.id = "R41",
     .title = "says the end of a run exactly once",
     .programs = "value nothing syntax runtime failed bad_result calls_caught loop",
     .test = says_its_end_once},
    {.id = "R42",
     .title = "uses no service after the end of a run",
     .programs = "value nothing syntax runtime failed bad_result calls_caught loop",
     .test = is_quiet_after_the_end},
    {.id = "R43",
     .title = "uses services on the run's own thread",
     .programs = "value nothing syntax runtime failed bad_result calls_caught loop",
     .test = stays_on_its_thread},
    {0},
};
